import { describe, expect, test } from 'vitest';

import { openEntityCut } from '#drivers/renderer/entity-cut.ts';
import type { PageSession } from '#drivers/renderer/session.ts';

const rig = () => {
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
  return { page, cut: openEntityCut(session, () => page.open), taken: () => given.splice(0) };
};
const FILTER = { sets: { lovelace: ['light.hall'], ['__proto__']: ['light.p'] }, learn: true };

describe('the filter of a page', () => {
  test('is given to the one that is open, and to the next before its token', async () => {
    const { page, cut, taken } = rig();
    await cut.apply(FILTER);
    expect(taken()).toEqual([]);
    await cut.give('u1');
    const [first] = taken();
    expect(first?.context).toBe('u1');
    expect(first?.expression).toContain(
      '{"learn":true,"sets":[["lovelace",["light.hall"]],["__proto__",["light.p"]]]}',
    );
    page.open = 'u1';
    await cut.apply({ ...FILTER, learn: false });
    expect(taken()).toHaveLength(1);
    await cut.give('u2');
    expect(taken()).toMatchObject([{ context: 'u2' }]);
  });

  test('is given once, and none is what a page has by itself', async () => {
    const { page, cut, taken } = rig();
    page.open = 'u1';
    await cut.apply(null);
    await cut.give('u1');
    expect(taken()).toEqual([]);
    await cut.apply(FILTER);
    await cut.apply({ ...FILTER });
    await cut.give('u1');
    expect(taken()).toHaveLength(1);
    await cut.apply(null);
    expect(taken()).toMatchObject([{ expression: expect.stringContaining('detail: null') }]);
    await cut.give('u2');
    expect(taken()).toEqual([]);
  });

  test('is given again where nobody answered that it was taken', async () => {
    const { page, cut, taken } = rig();
    page.open = 'u1';
    page.answers = undefined;
    await cut.apply(FILTER);
    page.answers = true;
    await cut.give('u1');
    await cut.give('u1');
    expect(taken()).toHaveLength(2);
  });
});
