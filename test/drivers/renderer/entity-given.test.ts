import { describe, expect, test } from 'vitest';

import { openSubscriptionFilter } from '#drivers/renderer/subscription-filter.ts';
import type { PageSession } from '#drivers/renderer/session.ts';

function rig() {
  const given: { readonly expression: string; readonly context: string | undefined }[] = [];
  const page: { open: string | null; answers: unknown } = { open: null, answers: true };
  const session: PageSession = {
    id: 's',
    targetId: 't',
    call: () => Promise.resolve({ ok: true, value: {} }),
    evaluate: (expression, options) => {
      given.push({ expression, context: options?.context });
      return Promise.resolve(page.answers);
    },
    listen: () => {},
  };
  return { page, filter: openSubscriptionFilter(session, () => page.open), taken: () => given.splice(0) };
}
const FILTER = { sets: { lovelace: ['light.hall'], ['__proto__']: ['light.p'] }, learn: true };

describe('the filter of a page', () => {
  test('is given to the one that is open, and to the next before its token', async () => {
    const { page, filter, taken } = rig();
    await filter.apply(FILTER);
    expect(taken()).toEqual([]);
    await filter.give('u1');
    const [first] = taken();
    expect(first?.context).toBe('u1');
    expect(first?.expression).toContain(
      '{"learn":true,"sets":[["lovelace",["light.hall"]],["__proto__",["light.p"]]]}',
    );
    page.open = 'u1';
    await filter.apply({ ...FILTER, learn: false });
    expect(taken()).toHaveLength(1);
    await filter.give('u2');
    expect(taken()).toMatchObject([{ context: 'u2' }]);
  });

  test('is given once, and none is what a page has by itself', async () => {
    const { page, filter, taken } = rig();
    page.open = 'u1';
    await filter.apply(null);
    await filter.give('u1');
    expect(taken()).toEqual([]);
    await filter.apply(FILTER);
    await filter.apply({ ...FILTER });
    await filter.give('u1');
    expect(taken()).toHaveLength(1);
    await filter.apply(null);
    expect(taken()).toMatchObject([{ expression: expect.stringContaining('detail: null') }]);
    await filter.give('u2');
    expect(taken()).toEqual([]);
  });

  test('is given again where nobody answered that it was taken', async () => {
    const { page, filter, taken } = rig();
    page.open = 'u1';
    page.answers = undefined;
    await filter.apply(FILTER);
    page.answers = true;
    await filter.give('u1');
    await filter.give('u1');
    expect(taken()).toHaveLength(2);
  });
});
