import { createActor } from 'xstate';
import { afterEach, describe, expect, it } from 'vitest';

import { createRegistry } from '#actors/kit/registry.ts';
import { settingsSpec } from '#actors/settings.ts';
import type { MergeOutcome } from '#machines/settings/events.ts';
import { COMMIT_BURST, COMMIT_PAUSE_MS, MOST_JOINED } from '#machines/settings/rate-limit.ts';
import { createClock, settle, timersOf } from '#test/fakes/kit-clock.ts';
import { memoryStore } from './memory-store.ts';

let running: { readonly stop: () => void } | undefined;
afterEach(() => running?.stop());

/** The writer on a stepped clock; each save is numbered by its value. */
async function start() {
  const store = memoryStore();
  const clock = createClock(0);
  const fixed = { openFiles: [], recorded: null, mode: () => 'relaxed' as const };
  const clocked = { registry: store, now: clock.now, clock: timersOf(clock), ...fixed };
  const actor = createActor(settingsSpec(clocked).logic, { systemId: 'settings' });
  actor.start();
  running = actor;
  const registry = createRegistry();
  registry.attach({ get: (id) => (id === 'settings' ? actor : undefined) });
  await settle();
  const outcomes = new Map<string, { readonly outcome: MergeOutcome | null; readonly at: number }>();
  const merge = async (patch: Record<string, unknown>): Promise<MergeOutcome> => {
    const asked = await registry.ask('settings', { type: 'settings.merge', patch }, 60_000);
    if (!asked.ok) throw new Error(asked.reason);
    return asked.value;
  };
  return {
    store,
    actor,
    outcomes,
    merge,
    name: () => registry.read('settings')?.context.values['friendly_name'],
    revision: () => registry.read('settings')?.context.revision,
    /** Saves a name; what becomes of it stands in `outcomes`. */
    save: (name: string): void => {
      void merge({ friendly_name: name }).then((outcome) => outcomes.set(name, { outcome, at: clock.now() }));
    },
    pass: async (ms: number): Promise<void> => {
      for (let gone = 0; gone < ms; gone += 10) {
        clock.pass(10);
        await settle();
      }
    },
  };
}

const times = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

describe('saves that come faster than commits may be made', () => {
  it('are made at once by a hand at the page', async () => {
    const { save, outcomes, store } = await start();
    for (const index of times(COMMIT_BURST)) {
      save(`n${index}`);
      await settle();
    }
    expect([outcomes.size, store.commits]).toEqual([COMMIT_BURST, COMMIT_BURST]);
  });

  it('are judged one on top of the other, where two settings depend on each other', async () => {
    const { merge, store } = await start();
    const [minimum, maximum] = ['auto_brightness_minimum_percent', 'auto_brightness_maximum_percent'];
    const outcomes = await Promise.all([merge({ [minimum]: 60 }), merge({ [maximum]: 50 }), merge({ [maximum]: 70 })]);
    expect(outcomes).toEqual([
      { status: 'saved', applied: [minimum] },
      {
        status: 'refused',
        reasons: { [maximum]: 'Automatic brightness, brightest must be above the darkest, which is 60 %.' },
      },
      { status: 'saved', applied: [maximum] },
    ]);
    expect(store.commits).toBeGreaterThan(0);
  });

  it('are joined into four commits a second; each waits for its own, and the last is durable', async () => {
    const { save, outcomes, store, pass, name, revision } = await start();
    // 2000 saves of a peer that has eight under way, in 15 s.
    let next = 0;
    for (const _ of times(1500)) {
      while (next < 2000 && next - outcomes.size < 8) save(`n${next++}`);
      await pass(10);
    }
    const inFlood = store.commits;
    expect(inFlood).toBeLessThanOrEqual(COMMIT_BURST + 15 * 4 + 1);
    expect(inFlood).toBeGreaterThan(15 * 4);
    await pass(COMMIT_PAUSE_MS);
    expect([...outcomes.values()].every(({ outcome }) => outcome?.status === 'saved')).toBe(true);
    expect([name(), revision()]).toEqual([`n${next - 1}`, next + 1]);
    expect(store.sections['settings']).toMatchObject({ values: { friendly_name: `n${next - 1}` } });
  });

  it('are not shown and not answered before the commit that holds them', async () => {
    const { save, outcomes, pass, name, store } = await start();
    for (const index of times(COMMIT_BURST)) save(`n${index}`);
    await pass(COMMIT_PAUSE_MS * COMMIT_BURST);
    for (const index of times(COMMIT_BURST)) {
      save(`a${index}`);
      await settle();
    }
    save('late');
    save('later');
    await pass(COMMIT_PAUSE_MS - 10);
    const before = store.commits;
    expect([outcomes.has('late'), name()]).toEqual([false, `a${COMMIT_BURST - 1}`]);
    await pass(10);
    expect([store.commits, outcomes.get('late')?.outcome, outcomes.get('later')?.outcome, name()]).toEqual([
      before + 1,
      { status: 'saved', applied: ['friendly_name'] },
      { status: 'saved', applied: ['friendly_name'] },
      'later',
    ]);
  });

  it('fail together where the disk refuses, and nothing of them is in force', async () => {
    const { merge, store, name, pass, revision } = await start();
    store.failure = 'ENOSPC';
    const outcomes = Promise.all([
      merge({ log_level: 'loud' }),
      merge({ friendly_name: 'A' }),
      // Judged by a name that never was in force.
      merge({ friendly_name: 'A' }),
      merge({ friendly_name: 'B' }),
    ]);
    await pass(COMMIT_PAUSE_MS);
    const [first, ...others] = await outcomes;
    expect(first).toMatchObject({ status: 'refused' });
    expect(others).toEqual(times(3).map(() => ({ status: 'commit-failed', reason: 'ENOSPC' })));
    expect([name(), revision()]).toEqual(['', 1]);
  });

  it('of one peer let those of another wait no longer than a second', async () => {
    const { save, outcomes, pass } = await start();
    // More than all connections of all peers have under way.
    for (const index of times(4 * MOST_JOINED - 1 + COMMIT_BURST)) save(`flood${index}`);
    save('mine');
    await pass(1000);
    expect(outcomes.get('mine')).toMatchObject({ outcome: { status: 'saved' } });
  });

  it('are committed at once when the agent stops', async () => {
    const { save, outcomes, actor, store } = await start();
    for (const index of times(COMMIT_BURST + 1)) {
      save(`n${index}`);
      await settle();
    }
    expect(outcomes.size).toBe(COMMIT_BURST);
    actor.send({ type: 'settings.stop' });
    await settle();
    expect([outcomes.size, store.commits]).toEqual([COMMIT_BURST + 1, COMMIT_BURST + 1]);
    expect(actor.getSnapshot().status).toBe('done');
  });
});
