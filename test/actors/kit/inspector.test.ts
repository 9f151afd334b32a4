import { describe, expect, it } from 'vitest';
import { createActor } from 'xstate';

import { createInspector } from '#actors/kit/inspector.ts';
import { createRegistry } from '#actors/kit/registry.ts';
import { createSupervisor } from '#actors/kit/supervisor.ts';
import { child, group, type WorkerActor, type WorkerEvent } from '#test/fakes/kit-workers.ts';

/** A worker that is also sent something secret. */
interface TestActors {
  readonly a: Omit<WorkerActor, 'event'> & {
    readonly event: WorkerEvent | { readonly type: 'worker.count'; readonly password: string };
  };
}

function run(now: () => number) {
  const inspector = createInspector(now);
  const registry = createRegistry<TestActors>();
  const root = createActor(
    createSupervisor(group('root', [child('a', [])]), { now: () => 0, random: () => 0, registry }),
    { inspect: inspector.inspect },
  );
  registry.attach(root.system);
  root.start();
  return { inspector, registry, root };
}

describe('the inspector ring', () => {
  it('records actor, event, state and time, and no payload', () => {
    const { inspector, registry, root } = run(() => 7);
    registry.tell('a', { type: 'worker.count', password: 'hunter2' });
    expect(inspector.records()).toContainEqual({
      n: expect.any(Number),
      actor: 'a',
      of: null,
      event: 'worker.count',
      value: 'up',
      at: 7,
    });
    expect(inspector.records()).toContainEqual(
      expect.objectContaining({ actor: 'device', of: 'a', event: 'xstate.init' }),
    );
    expect(JSON.stringify(inspector.records())).not.toContain('hunter2');
    root.stop();
  });

  it('keeps the newest 500, oldest first', () => {
    let time = 0;
    const { inspector, registry, root } = run(() => (time += 1));
    for (let n = 0; n < 700; n += 1) registry.tell('a', { type: 'worker.count' });
    const records = inspector.records();
    expect(records).toHaveLength(500);
    expect(records.at(-1)?.at).toBe(time);
    expect(records.map(({ at }) => at)).toEqual(records.map(({ at }) => at).toSorted((x, y) => x - y));
    root.stop();
  });

  it('gives what came after a number, and all that is kept where that is too long ago', () => {
    const { inspector, registry, root } = run(() => 0);
    const last = inspector.records().at(-1)?.n ?? 0;
    expect(inspector.records(last)).toEqual([]);
    registry.tell('a', { type: 'worker.count' });
    expect(inspector.records(last).map(({ n, event }) => [n, event])).toEqual([[last + 1, 'worker.count']]);
    for (let n = 0; n < 700; n += 1) registry.tell('a', { type: 'worker.count' });
    expect(inspector.records(last)[0]?.n).toBe(last + 202);
    root.stop();
  });

  it('wakes once, and not who does not want it any more', () => {
    const { inspector, registry, root } = run(() => 0);
    let woken = 0;
    inspector.onNext(() => (woken += 1));
    inspector.onNext(() => (woken += 10))();
    registry.tell('a', { type: 'worker.count' });
    registry.tell('a', { type: 'worker.count' });
    expect(woken).toBe(1);
    root.stop();
  });

  it('harms no actor when it fails', () => {
    const { registry, root } = run(() => {
      throw new Error('no clock');
    });
    registry.tell('a', { type: 'worker.count' });
    expect(registry.read('a')?.context.count).toBe(1);
    root.stop();
  });
});
