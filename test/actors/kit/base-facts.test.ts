import { describe, expect, it } from 'vitest';
import { followBase } from '#actors/kit/base-facts.ts';
import { createClock, settle } from '#test/fakes/kit-clock.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';

const settings = { revision: 1, digest: '1a2b3c4d' };
const identity = { panelId: 'hall' };
const profile = { id: 'simulated' };
const hall = { panelId: 'hall', digest: '1a2b3c4d' };

function follow(facts: Readonly<Record<string, unknown>>) {
  const registry = fakeRegistry(facts);
  const { clock, pass } = createClock();
  let timers = 0;
  const base = followBase(registry, {
    setTimeout: (fn, ms) => {
      timers += 1;
      return clock.setTimeout(fn, ms);
    },
    // Made by the function above.
    clearTimeout: (id) => clock.clearTimeout(id as number),
  });
  return { base, put: registry.put, pass, timers: () => timers };
}

describe('what requests are answered from', () => {
  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['nothing', {}],
    ['no settings', { identity, 'active-profile': profile }],
    ['settings that were not read', { settings: { ...settings, revision: 0 }, identity, 'active-profile': profile }],
    ['no identity', { settings, 'active-profile': profile }],
    ['an identity without a name', { settings, identity: { panelId: '' }, 'active-profile': profile }],
    ['no profile', { settings, identity }],
  ])('is not known yet: %s', (_, facts) => {
    expect(follow(facts).base.known()).toBeNull();
  });

  it('is known once all three were up, and follows them', () => {
    const { base, put } = follow({ identity, 'active-profile': profile });
    put('settings', settings);
    expect(base.known()).toEqual(hall);
    put('settings', { revision: 2, digest: 'ffffffff' });
    expect(base.known()).toEqual({ panelId: 'hall', digest: 'ffffffff' });
  });

  it.each(['settings', 'identity', 'active-profile'])('stays known while %s is started again', (id) => {
    const { base, put } = follow({ settings, identity, 'active-profile': profile });
    put(id, undefined);
    expect(base.known()).toEqual(hall);
    put('settings', { ...settings, revision: 0, digest: '00000000' });
    put('identity', { panelId: '' });
    expect(base.known()).toEqual(hall);
  });

  it('need not be up at the same moment', () => {
    const { base, put } = follow({ settings, 'active-profile': profile });
    put('settings', undefined);
    put('identity', identity);
    expect(base.known()).toEqual(hall);
  });
});

describe('waiting for it', () => {
  it('ends at once where it is known, without a timer', async () => {
    const { base, timers } = follow({ settings, identity, 'active-profile': profile });
    expect(await base.whenKnown(2000)).toBe(true);
    expect(timers()).toBe(0);
  });

  it('ends when it becomes known, for all who wait', async () => {
    const { base, put, pass } = follow({ settings, identity });
    const said: boolean[] = [];
    for (let caller = 0; caller < 3; caller += 1) void base.whenKnown(2000).then((known) => said.push(known));
    pass(1990);
    await settle();
    expect(said).toEqual([]);
    put('active-profile', profile);
    await settle();
    expect(said).toEqual([true, true, true]);
  });

  it('ends with the bound', async () => {
    const { base, pass } = follow({});
    let said: boolean | null = null;
    void base.whenKnown(2000).then((known) => (said = known));
    pass(2000);
    await settle();
    expect(said).toBe(false);
  });
});
