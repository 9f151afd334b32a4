import { createActor } from 'xstate';
import { afterEach, describe, expect, it } from 'vitest';

import { createRegistry } from '#actors/kit/registry.ts';
import { settingsSpec } from '#actors/settings.ts';
import type { SettingsEvent } from '#machines/settings/events.ts';
import { HELD_WAIT_MS, HOLD_MS, MOST_HELD } from '#machines/settings/hold.ts';
import { createClock, settle as turn, timersOf } from '#test/fakes/kit-clock.ts';
import { memoryStore } from './memory-store.ts';

/** Lets everything that is queued end. */
async function settle(): Promise<void> {
  for (let times = 0; times < 5; times += 1) await turn();
}

let running: { readonly stop: () => void } | undefined;
afterEach(() => running?.stop());

/** The writer on a stepped clock, and the outcomes of what was asked, in order of their ends. */
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
  const ended: [string, string][] = [];
  type Merge = Extract<SettingsEvent, { readonly type: 'settings.merge' }>;
  return {
    store,
    actor,
    ended,
    name: () => registry.read('settings')?.context.values['friendly_name'],
    digest: () => registry.read('settings')?.context.digest ?? '',
    /** Saves a name; its outcome is in `ended`. */
    save: (name: string, how: Partial<Pick<Merge, 'from' | 'token' | 'expectDigest'>> = {}): void => {
      void registry
        .ask('settings', { type: 'settings.merge', patch: { friendly_name: name }, ...how }, 10 * HOLD_MS)
        .then((asked) => ended.push([name, asked.ok ? asked.value.status : asked.reason]));
    },
    provision: (name: string): void => {
      void registry
        .ask('settings', { type: 'settings.provision', values: { friendly_name: name } }, 10 * HOLD_MS)
        .then((asked) => ended.push([name, asked.ok ? asked.value.status : asked.reason]));
    },
    hold: (token: string): void => {
      void registry
        .ask('settings', { type: 'settings.hold', token }, 10 * HOLD_MS)
        .then((asked) => ended.push([token, asked.ok ? asked.value.status : asked.reason]));
    },
    release: (token: string): void => void registry.tell('settings', { type: 'settings.release', token }),
    pass: async (ms: number): Promise<void> => {
      clock.pass(ms, 100);
      await settle();
    },
  };
}

describe('a hold', () => {
  it('is answered after the saves that were asked for before it', async () => {
    const { save, hold, ended, name } = await start();
    save('before');
    hold('job');
    save('after');
    await settle();
    expect(ended).toEqual([
      ['before', 'saved'],
      ['job', 'held'],
    ]);
    expect(name()).toBe('before');
  });

  it('is given to one job at a time, and twice to the same', async () => {
    const { hold, release, ended } = await start();
    hold('one');
    hold('two');
    hold('one');
    release('two');
    hold('three');
    await settle();
    release('one');
    hold('four');
    await settle();
    expect(ended).toEqual([
      ['one', 'held'],
      ['two', 'busy'],
      ['one', 'held'],
      ['three', 'busy'],
      ['four', 'held'],
    ]);
  });

  it('that is released before it began never begins', async () => {
    const { store, save, hold, release, ended } = await start();
    let unblock = (): void => {};
    store.blocked = new Promise((resolve) => {
      unblock = resolve;
    });
    save('before');
    await settle();
    hold('job');
    release('job');
    unblock();
    save('after', { from: 'network' });
    await settle();
    expect(ended).toEqual([
      ['job', 'busy'],
      ['before', 'saved'],
      ['after', 'saved'],
    ]);
  });

  it('ends by itself if its job never does', async () => {
    const { save, hold, ended, pass } = await start();
    hold('job');
    await pass(HOLD_MS - 100);
    save('early', { from: 'panel' });
    await settle();
    await pass(100);
    save('late', { from: 'panel' });
    save('of the job', { token: 'job' });
    await settle();
    expect(ended.slice(1)).toEqual([
      ['early', 'busy'],
      ['of the job', 'busy'],
      ['late', 'saved'],
    ]);
  });
});

describe('while a job holds the settings', () => {
  it('its own saves are made, and those over HTTP are refused at once', async () => {
    const { save, hold, ended, name } = await start();
    hold('job');
    await settle();
    save('of a person', { from: 'network' });
    save('of another job', { token: 'other' });
    save('of the job', { token: 'job' });
    await settle();
    expect(ended.slice(1)).toEqual([
      ['of a person', 'busy'],
      ['of another job', 'busy'],
      ['of the job', 'saved'],
    ]);
    expect(name()).toBe('of the job');
  });

  it('all others wait, and are made in order once it is released', async () => {
    const { save, provision, hold, release, ended, pass, name } = await start();
    hold('job');
    await settle();
    save('entity');
    provision('command line');
    save('sign-in');
    await pass(HELD_WAIT_MS - 100);
    expect(ended).toEqual([['job', 'held']]);
    release('job');
    await settle();
    expect(ended.slice(1)).toEqual([
      ['entity', 'saved'],
      ['command line', 'provisioned'],
      ['sign-in', 'saved'],
    ]);
    expect(name()).toBe('sign-in');
  });

  it('none waits longer than ten seconds', async () => {
    const { save, provision, hold, release, ended, pass, name } = await start();
    hold('job');
    await settle();
    save('entity');
    await pass(1000);
    provision('command line');
    await pass(HELD_WAIT_MS - 1000);
    expect(ended.slice(1)).toEqual([['entity', 'busy']]);
    await pass(1000);
    expect(ended.slice(1)).toEqual([
      ['entity', 'busy'],
      ['command line', 'busy'],
    ]);
    release('job');
    await settle();
    expect([ended.length, name()]).toEqual([3, '']);
  });

  it('no more than a bounded number wait', async () => {
    const { save, hold, ended } = await start();
    hold('job');
    await settle();
    for (let index = 0; index < MOST_HELD; index += 1) save(`n${index}`);
    save('one more');
    await settle();
    expect(ended.slice(1)).toEqual([['one more', 'busy']]);
  });

  it('a stop answers those that wait', async () => {
    const { save, hold, ended, actor } = await start();
    hold('job');
    await settle();
    save('entity');
    actor.send({ type: 'settings.stop' });
    await settle();
    expect(ended.slice(1)).toEqual([['entity', 'commit-failed']]);
    expect(actor.getSnapshot().status).toBe('done');
  });
});

describe('a save that names a digest', () => {
  it('is refused if another one came before it, also in the same commit', async () => {
    const { save, digest, ended, name } = await start();
    const expectDigest = digest();
    save('first', { expectDigest });
    save('second', { expectDigest });
    await settle();
    expect(ended).toEqual([
      ['first', 'saved'],
      ['second', 'stale'],
    ]);
    expect(name()).toBe('first');
    save('third', { expectDigest: digest() });
    await settle();
    expect(ended.at(-1)).toEqual(['third', 'saved']);
  });
});
