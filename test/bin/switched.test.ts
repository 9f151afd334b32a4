import { describe, expect, it } from 'vitest';
import { createActor } from 'xstate';
import { missingPart, type Part } from '#actors/kit/part.ts';
import { createSupervisor } from '#actors/kit/supervisor.ts';
import { treeOf } from '#actors/kit/tree.ts';
import { createSwitchedParts } from '#bin/parts/switched.ts';
import type { ActorId } from '#machines/actors.ts';
import { ChunkError } from '#machines/kit/chunk.ts';
import { whileSetting } from '#machines/kit/runs-while.ts';
import { createClock, settle } from '#test/fakes/kit-clock.ts';
import { child, group, type Journal } from '#test/fakes/kit-workers.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';

const shown = { value: 'off', context: { verdict: 'off' } };

/** A camera that a setting turns on, under a supervisor with a simulated clock; each load waits to be answered. */
async function begin(first: boolean | null, hang = false) {
  const journal: Journal = [];
  const loads: { readonly give: () => void; readonly fail: () => void }[] = [];
  const settings = fakeRegistry({});
  const views = new Map<string, unknown>();
  const time = createClock();
  const set = (on: boolean): void => settings.put('settings', { revision: 1, values: { camera_enabled: on } });
  const switched = createSwitchedParts(
    {
      follow: settings.follow,
      switchedOff: (id, view) => void (view === null ? views.delete(id) : views.set(id, view)),
    },
    new Map<ActorId, ReturnType<typeof whileSetting>>([['camera', whileSetting('camera_enabled', shown)]]),
  );
  const load = (): Promise<Part> =>
    new Promise((resolve, reject) => {
      const number = loads.length + 1;
      loads.push({
        give: () => {
          const made = child(`camera ${number}`, journal, { hang });
          resolve({ ...made, id: 'camera', group: 'media' });
        },
        fail: () => reject(new ChunkError(null)),
      });
    });
  if (first !== null) set(first);
  let root: { readonly send: (event: { type: 'supervisor.adopt' | 'supervisor.dismiss'; id: string }) => void } | null =
    null;
  const end = switched.begin({
    adopt: (id) => root?.send({ type: 'supervisor.adopt', id }),
    dismiss: (id) => root?.send({ type: 'supervisor.dismiss', id }),
    onLoaded: () => {},
    isStopping: () => false,
  });
  const attached = switched.attach({ id: 'camera', load }, 'media');
  if (first === true) loads[0]?.give();
  const spec = await attached;
  const deps = {
    now: time.now,
    random: () => 0.5,
    registry: { declared: () => {}, started: () => {}, stopped: () => {} },
  };
  const supervisor = createActor(createSupervisor(group('media', [spec], { onGiveUp: 'park' }), deps), {
    clock: time.clock,
  });
  supervisor.start();
  root = supervisor;
  return {
    set,
    loads,
    spec,
    views,
    pass: time.pass,
    forget: () => settings.put('settings', undefined),
    end,
    kill: () => supervisor.send({ type: 'supervisor.kill', id: 'camera' }),
    journal: () => journal.splice(0),
    node: () => treeOf(supervisor).children[0],
    phase: () => {
      const camera = treeOf(supervisor).children[0];
      return camera?.off === true ? 'off' : camera?.phase;
    },
  };
}

describe('a part that a setting turns on and off', () => {
  it('is loaded before its group starts where the setting is on', async () => {
    const { journal, phase, views, loads } = await begin(true);
    expect([journal(), phase(), views.size, loads.length]).toEqual([['+camera 1'], 'running', 0, 1]);
  });

  it('waits, without being loaded, while the settings are not known', async () => {
    const { set, journal, phase, views, loads } = await begin(null);
    expect([journal(), phase(), views.size, loads.length]).toEqual([[], 'waiting', 0, 0]);
    set(false);
    expect([phase(), views.get('camera'), loads.length]).toEqual(['off', shown, 0]);
  });

  it('is off without being loaded, runs once it is on, and is gone when it is off again', async () => {
    const { set, journal, phase, views, loads, spec } = await begin(false);
    expect([phase(), views.get('camera'), loads.length]).toEqual(['off', shown, 0]);
    set(true);
    expect([phase(), views.size]).toEqual(['off', 1]);
    loads[0]?.give();
    await settle();
    expect([journal(), phase(), views.size, spec.stop === undefined]).toEqual([['+camera 1'], 'running', 0, false]);
    set(false);
    expect([journal(), phase(), views.get('camera')]).toEqual([['-camera 1'], 'off', shown]);
    // Nothing holds what it was made from.
    expect([spec.stop, spec.input]).toEqual([undefined, undefined]);
  });

  it('ends as it was set last, once, however often it is turned on and off while it is loaded', async () => {
    const { set, journal, phase, views, loads } = await begin(false);
    for (const on of [true, false, true, false, true]) set(on);
    for (const { give } of loads.toReversed()) give();
    await settle();
    expect([journal(), phase(), views.size, loads.length]).toEqual([['+camera 3'], 'running', 0, 3]);
    for (const on of [false, true, false]) set(on);
    for (const { give } of loads) give();
    await settle();
    expect([journal(), phase(), views.size]).toEqual([['-camera 3'], 'off', 1]);
  });

  it('starts anew only once it has stopped', async () => {
    const { set, journal, phase, loads, spec, pass } = await begin(true, true);
    const withinMs = spec.stop?.withinMs ?? 0;
    set(false);
    set(true);
    loads[1]?.give();
    await settle();
    expect([journal(), phase()]).toEqual([['+camera 1'], 'stopping']);
    pass(withinMs);
    expect([journal(), phase()]).toEqual([['-camera 1', '+camera 2'], 'running']);
  });

  it('is supervised as any while it is on, and not brought back once it is off', async () => {
    const { set, journal, phase, pass, kill, node } = await begin(true);
    kill();
    expect([phase(), node()?.reason]).toEqual(['restarting', 'killed']);
    pass(1000);
    expect([journal(), phase(), node()?.restarts]).toEqual([['+camera 1', '-camera 1', '+camera 1'], 'running', 1]);
    kill();
    set(false);
    pass(1000);
    expect([journal(), phase()]).toEqual([['-camera 1'], 'off']);
  });

  it('is parked where it cannot be loaded, and loaded anew when it is tried again or turned on again', async () => {
    const { set, journal, phase, loads, node, pass } = await begin(false);
    set(true);
    loads[0]?.fail();
    await settle();
    loads[1]?.fail();
    await settle();
    expect([phase(), node()?.reason]).toEqual(['parked', 'chunk-unloadable']);
    set(false);
    expect(phase()).toBe('off');
    pass(3_600_000);
    expect([phase(), loads.length]).toEqual(['off', 2]);
    set(true);
    loads[2]?.give();
    await settle();
    expect([journal(), phase()]).toEqual([['+camera 3'], 'running']);
  });

  it('stays as it is while the settings restart, and once nothing is followed any more', async () => {
    const { set, forget, journal, phase, loads, end } = await begin(true);
    forget();
    expect([phase(), loads.length]).toEqual(['running', 1]);
    set(true);
    expect([journal(), loads.length]).toEqual([['+camera 1'], 1]);
    end();
    set(false);
    expect([journal(), phase()]).toEqual([[], 'running']);
  });
});

describe('two parts that one setting turns on', () => {
  it('start in the order of the subsystems, and stop in the other', async () => {
    const settings = fakeRegistry({});
    const registry = { ...settings, switchedOff: () => {} };
    const rule = whileSetting('camera_enabled', { value: 'off', context: null });
    const switched = createSwitchedParts(
      registry,
      new Map<ActorId, typeof rule>([
        ['camera', rule],
        ['volume', rule],
      ]),
    );
    const journal: string[] = [];
    switched.begin({
      adopt: (id) => void journal.push(`+${id}`),
      dismiss: (id) => void journal.push(`-${id}`),
      onLoaded: () => {},
      isStopping: () => false,
    });
    const load = (id: 'camera' | 'volume') => () =>
      Promise.resolve(missingPart(id, 'media', new Error('only its order matters')));
    await Promise.all((['camera', 'volume'] as const).map((id) => switched.attach({ id, load: load(id) }, 'media')));
    const set = (on: boolean): void => settings.put('settings', { revision: 1, values: { camera_enabled: on } });
    set(true);
    await Promise.resolve();
    await Promise.resolve();
    set(false);
    expect(journal).toEqual(['+camera', '+volume', '-volume', '-camera']);
  });
});
