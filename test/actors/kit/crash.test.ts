import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createActor, emit, setup, type EventObject } from 'xstate';

import { followFaults, type FaultFact } from '#actors/kit/faults.ts';
import { createRegistry } from '#actors/kit/registry.ts';
import type { ChildSpec } from '#actors/kit/spec.ts';
import type { SupervisionFact } from '#actors/kit/supervision-fact.ts';
import { createSupervisor } from '#actors/kit/supervisor.ts';
import { treeOf } from '#actors/kit/tree.ts';
import { whenEnded } from '#actors/kit/tree.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { FaultEvent } from '#machines/kit/actor.ts';
import { type Fault, faultEvent, faultIn } from '#machines/kit/fault.ts';
import { crashed, outcomeOf, stopped, type WorkerOutcome } from '#machines/kit/outcome.ts';
import { createClock } from '#test/fakes/kit-clock.ts';
import { group } from '#test/fakes/kit-workers.ts';

const bundle = join(fileURLToPath(new URL('.', import.meta.url)), '../../..');
const MARKER = 'http://anna:marker@10.0.0.1/';

/** What the drivers of these tests throw. */
const tooManyFiles = (): Error => Object.assign(new Error(MARKER), { code: 'EMFILE' });

const driver = (fails: () => void) => fromDriver<EventObject, undefined, never>(() => fails());
const broken = driver(() => {
  throw tooManyFiles();
});

/** A worker with two drivers; one of the two fails as it starts. */
function worker(which: 'eye' | 'ear'): ChildSpec {
  const fine = driver(() => {});
  const machine = setup({
    types: {} as { output: WorkerOutcome },
    actors: { eye: which === 'eye' ? broken : fine, ear: which === 'ear' ? broken : fine },
  }).createMachine({
    initial: 'up',
    invoke: [
      { id: 'eye', src: 'eye', onError: '.failed' },
      { id: 'ear', src: 'ear', onError: '.failed' },
    ],
    states: {
      up: {},
      stopped: { type: 'final', output: stopped },
      failed: { type: 'final', output: crashed({ eye: 'eye-driver', ear: 'ear' }) },
    },
    output: outcomeOf,
  });
  return { id: 'x', logic: machine, restart: 'permanent' };
}

/** A worker whose driver fails whenever it is poked, and which goes on. */
const patient: ChildSpec = {
  id: 'x',
  logic: setup({
    types: {} as { emitted: FaultEvent; events: { type: 'x.poke' } },
    actors: { eye: broken },
    actions: { sayFault: emit((_, fault: Fault) => faultEvent(fault)) },
  }).createMachine({
    initial: 'resting',
    states: {
      resting: { on: { 'x.poke': 'trying' } },
      trying: {
        invoke: {
          id: 'eye',
          src: 'eye',
          onError: { target: 'resting', actions: { type: 'sayFault', params: faultIn('eye') } },
        },
      },
    },
  }),
  restart: 'permanent',
};

interface TestActors {
  readonly x: { readonly id: 'x'; readonly context: unknown; readonly event: { readonly type: 'x.poke' } };
}

function run(child: ChildSpec, over: Parameters<typeof group>[2] = {}) {
  const time = createClock();
  const registry = createRegistry<TestActors>();
  const facts: SupervisionFact[] = [];
  const deps = {
    now: time.now,
    random: () => 0.5,
    registry,
    bundle,
    log: (fact: SupervisionFact) => void facts.push(fact),
  };
  const root = createActor(createSupervisor(group('root', [child], over), deps), { clock: time.clock });
  registry.attach(root.system);
  return {
    root,
    registry,
    facts,
    ...time,
    of: (type: SupervisionFact['type']) => facts.filter((f) => f.type === type),
  };
}

describe('a driver that throws', () => {
  it.each([
    ['eye', 'eye-driver/EMFILE'],
    ['ear', 'ear/EMFILE'],
  ] as const)('is told of with class, code and frames: %s', (which, reason) => {
    const { root, facts, of } = run(worker(which), { onGiveUp: 'park', intensity: { restarts: 0, periodMs: 1000 } });
    root.start();
    const [ended] = of('ended');
    expect(ended).toMatchObject({ id: 'x', how: 'failed', reason, error: { class: 'Error', code: 'EMFILE' } });
    const { frames = [] } = ended !== undefined && 'error' in ended ? (ended.error ?? {}) : {};
    expect(frames[0]).toMatch(/^tooManyFiles test\/actors\/kit\/crash\.test\.ts:\d+:\d+$/);
    expect(frames.length).toBeLessThanOrEqual(5);
    expect(of('parked')).toMatchObject([{ reason, error: { frames } }]);
    expect(treeOf(root).children).toMatchObject([{ id: 'x', phase: 'parked', reason }]);
    expect(JSON.stringify([facts, root.getSnapshot().context])).not.toContain('marker');
    // What others see is the code alone.
    expect(JSON.stringify([treeOf(root), root.getSnapshot().context])).not.toMatch(/tooManyFiles|crash\.test|frames/);
  });

  it('makes its group give up with the code alone', () => {
    const { root, of } = run(worker('eye'), { intensity: { restarts: 0, periodMs: 1000 } });
    root.start();
    expect(of('gave-up')).toMatchObject([{ reason: 'eye-driver/EMFILE', error: { code: 'EMFILE' } }]);
    expect(root.getSnapshot().output).toEqual({ ended: 'failed', reason: 'gave-up/x/eye-driver/EMFILE' });
  });
});

describe('a machine that throws itself', () => {
  it('is told of with its code', () => {
    const machine = setup({
      actions: {
        breakDown: () => {
          throw tooManyFiles();
        },
      },
    }).createMachine({ entry: 'breakDown' });
    const { root, of } = run({ id: 'x', logic: machine, restart: 'temporary' });
    root.start();
    expect(of('ended')).toMatchObject([{ how: 'failed', reason: 'EMFILE', error: { class: 'Error', code: 'EMFILE' } }]);
    expect(treeOf(root).children).toMatchObject([{ reason: 'EMFILE' }]);
  });

  it('at the root ends with its error', async () => {
    const root = createActor(
      setup({
        actions: {
          breakDown: () => {
            throw tooManyFiles();
          },
        },
      }).createMachine({ on: { go: { actions: 'breakDown' } } }),
    );
    const ended = whenEnded(root);
    root.start();
    root.send({ type: 'go' });
    expect(await ended).toMatchObject({ ended: 'failed', reason: 'root-crashed', error: { code: 'EMFILE' } });
  });
});

describe('a fault', () => {
  it('is told of while its part goes on, as news once a minute', () => {
    const { root, registry, facts, now, pass } = run(patient);
    root.start();
    const heard: FaultFact[] = [];
    const ends = followFaults({ registry, now, bundle }, (fact) => void heard.push(fact));
    registry.tell('x', { type: 'x.poke' });
    expect(heard).toMatchObject([{ id: 'x', reason: 'eye/EMFILE', again: false, error: { class: 'Error' } }]);
    expect(heard[0]?.error.frames[0]).toMatch(/^tooManyFiles test\/actors\/kit\/crash\.test\.ts/);
    pass(59_000, 1000);
    registry.tell('x', { type: 'x.poke' });
    pass(1000, 1000);
    registry.tell('x', { type: 'x.poke' });
    expect(heard.map(({ again }) => again)).toEqual([false, true, false]);
    expect(facts.map(({ type }) => type)).toEqual(['started']);
    expect(JSON.stringify(heard)).not.toContain('marker');
    for (const end of ends) end();
    registry.tell('x', { type: 'x.poke' });
    expect(heard).toHaveLength(3);
  });
});
