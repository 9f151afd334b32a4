import { describe, expect, it } from 'vitest';
import { followBase } from '#actors/kit/base-facts.ts';
import { createLateGroups, type LateGroupsDeps } from '#bin/late-groups.ts';
import { createClock, settle } from '#test/fakes/kit-clock.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';

const facts = {
  settings: { revision: 1, digest: '1a2b3c4d' },
  identity: { panelId: 'hall' },
  profile: { id: 'x' },
  http: { port: 80, failure: null },
};

function begin() {
  const registry = fakeRegistry(facts);
  const { clock, pass } = createClock();
  const late = createLateGroups({
    setTimeout: (fn, ms) => clock.setTimeout(fn, ms),
    // Made by the function above.
    clearTimeout: (id) => clock.clearTimeout(id as number),
  });
  const adopted: string[] = [];
  const deps: LateGroupsDeps = {
    registry,
    base: followBase(registry),
    pages: null,
    load: () => Promise.resolve([]),
    adopt: (group) => adopted.push(group),
    isStopping: () => false,
  };
  return { late, deps, pass, adopted };
}

describe('whoever waits for the parts', () => {
  it('is let go when the last group was adopted', async () => {
    const { late, deps, adopted } = begin();
    const order: string[] = [];
    const waited = late.whenStarted(2000).then(() => order.push(...adopted, 'started'));
    expect(late.areStarted()).toBe(false);
    await late.bring(['link', 'panel'], deps);
    await waited;
    expect(order).toEqual(['link', 'panel', 'started']);
    expect(late.areStarted()).toBe(true);
  });

  it('is let go when the bound has passed', async () => {
    const { late, pass } = begin();
    let isOver = false;
    void late.whenStarted(2000).then(() => (isOver = true));
    pass(1999);
    await settle();
    expect(isOver).toBe(false);
    pass(1);
    await settle();
    expect([isOver, late.areStarted()]).toEqual([true, false]);
  });

  it('is let go when the pages cannot be loaded, which fails the start', async () => {
    const { late, deps } = begin();
    const waited = late.whenStarted(2000);
    await expect(late.bring(['link'], { ...deps, pages: () => Promise.reject(new Error('damaged')) })).rejects.toThrow(
      'damaged',
    );
    await waited;
  });
});
