import { describe, expect, it } from 'vitest';
import { createActor, setup } from 'xstate';

import { missingPart, unloadedPart } from '#actors/kit/part.ts';
import { createRegistry } from '#actors/kit/registry.ts';
import type { ChildSpec, GroupSpec } from '#actors/kit/spec.ts';
import { createSupervisor, type SupervisorDeps } from '#actors/kit/supervisor.ts';
import { treeOf } from '#actors/kit/tree.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import { ChunkError } from '#machines/kit/chunk.ts';
import type { TreeNode } from '#machines/kit/status.ts';
import { createClock, settle } from '#test/fakes/kit-clock.ts';
import { child, group, type Journal, type WorkerActor } from '#test/fakes/kit-workers.ts';

/** The actors of these tests that are told something. */
interface TestActors {
  readonly a: WorkerActor;
  readonly b: WorkerActor;
  readonly outer: { readonly id: 'outer'; readonly context: unknown; readonly event: { readonly type: 'break' } };
}

function run(spec: GroupSpec, over: Partial<SupervisorDeps> = {}) {
  const time = createClock();
  const registry = createRegistry<TestActors>({
    timers: {
      setTimeout: (fn, ms) => time.clock.setTimeout(fn, ms),
      clearTimeout: (id) => time.clock.clearTimeout(id as number),
    },
  });
  const lines: string[] = [];
  const deps: SupervisorDeps = {
    now: time.now,
    random: () => 0.5,
    registry,
    log: ({ type, group: at, ...rest }) =>
      void lines.push(`${at} ${type} ${rest.id}${'reason' in rest ? ` ${rest.reason}` : ''}`),
    ...over,
  };
  const root = createActor(createSupervisor(spec, deps), { clock: time.clock });
  registry.attach(root.system);
  root.start();
  const find = (id: string, node: TreeNode = treeOf(root)): TreeNode | undefined =>
    node.id === id ? node : node.children.map((one) => find(id, one)).find((one) => one !== undefined);
  return {
    root,
    registry,
    lines,
    ...time,
    find,
    phase: (id: string) => (find(id)?.off ? 'off' : find(id)?.phase),
    deps,
  };
}
const drained = (journal: Journal): readonly string[] => journal.splice(0);

describe('a supervised group', () => {
  it('starts in order and stops in reverse, each asked first', () => {
    const journal: Journal = [];
    const r = run(
      group(
        'root',
        ['a', 'b', 'c'].map((id) => child(id, journal)),
      ),
    );
    expect(drained(journal)).toEqual(['+a', '+b', '+c']);
    expect(r.registry.ids()).toEqual(['a', 'b', 'c']);
    r.root.send({ type: 'supervisor.shutdown' });
    expect(drained(journal)).toEqual(['-c', '-b', '-a']);
    expect(r.root.getSnapshot().status).toBe('done');
    expect(r.root.getSnapshot().output).toEqual({ ended: 'stopped' });
    expect(r.registry.tell('a', { type: 'worker.count' })).toBe('absent');
  });

  it('begins a group that waits when it is adopted, with the children that it has then', () => {
    const journal: Journal = [];
    const loaded: ChildSpec[] = [];
    const late: GroupSpec = { ...group('late', [child('b', journal)]), adopted: () => loaded };
    const r = run(group('root', [child('a', journal), late]));
    expect(drained(journal)).toEqual(['+a']);
    expect(r.registry.ids()).toEqual(['a', 'b']);
    expect([r.phase('late'), r.phase('b')]).toEqual(['waiting', 'waiting']);
    loaded.push(child('b', journal), child('c', journal));
    r.root.send({ type: 'supervisor.adopt', id: 'late' });
    expect(drained(journal)).toEqual(['+b', '+c']);
    expect(r.registry.ids()).toEqual(['a', 'b', 'c']);
    r.root.send({ type: 'supervisor.adopt', id: 'late' });
    r.root.send({ type: 'supervisor.shutdown' });
    expect(drained(journal)).toEqual(['-c', '-b', '-a']);
    expect(r.root.getSnapshot().status).toBe('done');
  });

  it('gives a group that was adopted the time that its children take to stop', () => {
    const journal: Journal = [];
    const hanging = child('b', journal, { hang: true });
    const late: GroupSpec = { ...group('late', []), adopted: () => [hanging] };
    const r = run(group('root', [late]));
    r.root.send({ type: 'supervisor.adopt', id: 'late' });
    drained(journal);
    r.root.send({ type: 'supervisor.shutdown' });
    r.pass((hanging.stop?.withinMs ?? 0) - 10);
    expect(r.root.getSnapshot().status).toBe('active');
    r.pass(10);
    expect(r.root.getSnapshot().status).toBe('done');
    expect(r.lines).not.toContain('root killed late');
  });

  it('leaves a group down that is adopted while the others stop', () => {
    const journal: Journal = [];
    const late: GroupSpec = { ...group('late', []), adopted: () => [child('b', journal)] };
    const r = run(group('root', [child('a', journal, { hang: true }), late]));
    r.root.send({ type: 'supervisor.shutdown' });
    r.root.send({ type: 'supervisor.adopt', id: 'late' });
    expect([r.phase('late'), drained(journal)]).toEqual(['stopped', ['+a']]);
  });

  it('starts and stops a child at any depth as it is adopted and dismissed', () => {
    const journal: Journal = [];
    const released: string[] = [];
    const switched = child('b', journal, { held: 'off', release: () => released.push('b') });
    const r = run(group('root', [group('outer', [child('a', journal), group('inner', [switched])])]));
    expect([drained(journal), r.phase('b'), r.registry.ids()]).toEqual([['+a'], 'off', ['a', 'b']]);
    r.root.send({ type: 'supervisor.adopt', id: 'b' });
    r.root.send({ type: 'supervisor.adopt', id: 'b' });
    expect([drained(journal), r.phase('b')]).toEqual([['+b'], 'running']);
    expect(r.registry.tell('b', { type: 'worker.count' })).toBe('delivered');
    r.root.send({ type: 'supervisor.dismiss', id: 'b' });
    expect([drained(journal), r.phase('b'), released]).toEqual([['-b'], 'off', ['b']]);
    expect(r.registry.tell('b', { type: 'worker.count' })).toBe('absent');
    for (let n = 0; n < 25; n += 1)
      for (const type of ['supervisor.adopt', 'supervisor.dismiss'] as const) r.root.send({ type, id: 'b' });
    r.root.send({ type: 'supervisor.adopt', id: 'b' });
    expect(drained(journal).filter((word) => word === '+b')).toHaveLength(26);
    r.root.send({ type: 'supervisor.kill', id: 'b' });
    expect([r.phase('b'), r.find('b')?.reason]).toEqual(['restarting', 'killed']);
    r.pass(1000);
    expect([r.phase('b'), r.find('b')?.restarts]).toEqual(['running', 1]);
    r.root.send({ type: 'supervisor.shutdown' });
    expect(drained(journal)).toEqual(['-b', '+b', '-b', '-a']);
    expect(r.root.getSnapshot().status).toBe('done');
  });

  it('lets a child that is dismissed end in order, and starts it anew only once it has', () => {
    const journal: Journal = [];
    const hanging = child('b', journal, { hang: true });
    const r = run(group('root', [child('a', journal), hanging], { onGiveUp: 'park' }));
    drained(journal);
    r.root.send({ type: 'supervisor.dismiss', id: 'b' });
    r.root.send({ type: 'supervisor.adopt', id: 'b' });
    expect([drained(journal), r.phase('b')]).toEqual([[], 'stopping']);
    r.pass(hanging.stop?.withinMs ?? 0);
    expect([drained(journal), r.phase('b')]).toEqual([['-b', '+b'], 'running']);
  });

  it('parks what cannot be loaded at its first crash', () => {
    const lost = missingPart('b', 'panel', new ChunkError(null));
    const journal: Journal = [];
    const r = run(group('root', [child('a', journal), lost], { onGiveUp: 'park' }));
    expect(r.find('b')).toMatchObject({ phase: 'parked', restarts: 0, reason: 'chunk-unloadable' });
    expect(r.phase('a')).toBe('running');
  });

  it('loads a part again that could not be loaded, each time that it is tried again', async () => {
    const journal: Journal = [];
    let loads = 0;
    const lost = unloadedPart('b', 'panel', async () => {
      loads += 1;
      if (loads < 3) throw new ChunkError(null);
      return { ...child('b', journal), group: 'panel' };
    });
    const r = run(group('root', [lost], { onGiveUp: 'park', parkRetryMs: 1000 }));
    await settle();
    expect([r.phase('b'), loads]).toEqual(['parked', 1]);
    r.pass(1000);
    await settle();
    expect([r.phase('b'), loads]).toEqual(['parked', 2]);
    r.root.send({ type: 'supervisor.revive', id: 'b' });
    await settle();
    expect([r.phase('b'), loads]).toEqual(['restarting', 3]);
    r.pass(1000);
    expect([r.phase('b'), drained(journal)]).toEqual(['running', ['+b']]);
    r.root.send({ type: 'supervisor.shutdown' });
    expect(drained(journal)).toEqual(['-b']);
  });

  it('cuts a hanging child at its bound', () => {
    const journal: Journal = [];
    const r = run(group('root', [child('a', journal), child('b', journal, { hang: true }), child('c', journal)]));
    drained(journal);
    r.root.send({ type: 'supervisor.shutdown' });
    expect(drained(journal)).toEqual(['-c']);
    expect(r.phase('b')).toBe('stopping');
    r.pass(490);
    expect(r.root.getSnapshot().status).toBe('active');
    r.pass(10);
    expect(drained(journal)).toEqual(['-b', '-a']);
    expect(r.root.getSnapshot().status).toBe('done');
  });

  const strategies = [
    ['one_for_one', ['-b', '+b']],
    ['rest_for_one', ['-b', '-d', '-c', '+b', '+c', '+d']],
    ['one_for_all', ['-b', '-d', '-c', '-a', '+a', '+b', '+c', '+d']],
  ] as const;
  for (const [strategy, expected] of strategies) {
    it(`${strategy} stops and restarts the right children in the right order`, () => {
      const journal: Journal = [];
      const r = run(
        group(
          'root',
          ['a', 'b', 'c', 'd'].map((id) => child(id, journal)),
          { strategy },
        ),
      );
      drained(journal);
      expect(r.registry.tell('b', { type: 'worker.fail', reason: 'EIO' })).toBe('delivered');
      expect(r.phase('b')).toBe('restarting');
      r.pass(90);
      expect(journal).not.toContain('+b');
      r.pass(10);
      expect(drained(journal)).toEqual(expected);
      expect(r.find('b')).toMatchObject({ phase: 'running', restarts: 1, reason: 'EIO' });
    });
  }

  it('waits for a hanging sibling before it restarts the set', () => {
    const journal: Journal = [];
    const r = run(
      group('root', [child('a', journal), child('b', journal, { hang: true })], { strategy: 'one_for_all' }),
    );
    drained(journal);
    r.registry.tell('a', { type: 'worker.finish' });
    r.pass(400);
    expect(drained(journal)).toEqual(['-a']);
    r.pass(200);
    expect(drained(journal)).toEqual(['-b', '+a', '+b']);
  });

  it('does not restart a temporary child that went down with a sibling', () => {
    const journal: Journal = [];
    const r = run(
      group('root', [child('a', journal), child('t', journal, { restart: 'temporary' })], { strategy: 'one_for_all' }),
    );
    r.root.send({ type: 'supervisor.kill', id: 'a' });
    r.pass(200);
    expect(journal).toEqual(['+a', '+t', '-a', '-t', '+a']);
    expect(r.find('t')).toMatchObject({ phase: 'stopped', reason: 'stopped-with/a' });
  });

  for (const [restart, how, again] of [
    ['permanent', 'worker.fail', true],
    ['permanent', 'worker.finish', true],
    ['transient', 'worker.fail', true],
    ['transient', 'worker.finish', false],
    ['temporary', 'worker.fail', false],
    ['temporary', 'worker.finish', false],
  ] as const) {
    it(`${restart} after ${how}: ${again ? 'restarted' : 'left alone'}`, () => {
      const journal: Journal = [];
      const r = run(group('root', [child('a', journal, { restart })]));
      r.registry.tell('a', { type: how, reason: 'EIO' });
      r.pass(200);
      expect(journal).toEqual(again ? ['+a', '-a', '+a'] : ['+a', '-a']);
      expect(r.phase('a')).toBe(again ? 'running' : 'stopped');
    });
  }

  it('doubles the pause and gives up beyond its intensity, leaving nothing alive', () => {
    const journal: Journal = [];
    const r = run(
      group('root', [child('a', journal), child('b', journal)], { intensity: { restarts: 2, periodMs: 60_000 } }),
    );
    const kill = (): void => r.root.send({ type: 'supervisor.kill', id: 'b' });
    kill();
    r.pass(100);
    expect(r.phase('b')).toBe('running');
    kill();
    r.pass(190);
    expect(r.phase('b')).toBe('restarting');
    r.pass(10);
    expect(r.phase('b')).toBe('running');
    kill();
    expect(r.root.getSnapshot().output).toEqual({ ended: 'failed', reason: 'gave-up/b/killed' });
    expect(journal).toEqual(['+a', '+b', '-b', '+b', '-b', '+b', '-b', '-a']);
    expect(treeOf(r.root)).toMatchObject({ phase: 'stopped', reason: 'gave-up/b/killed' });
  });

  it('forgets restarts that are older than the period', () => {
    const journal: Journal = [];
    const r = run(group('root', [child('a', journal)], { intensity: { restarts: 1, periodMs: 1000 } }));
    for (let n = 0; n < 5; n += 1) {
      r.root.send({ type: 'supervisor.kill', id: 'a' });
      r.pass(1100);
      expect(r.phase('a')).toBe('running');
    }
    expect(r.find('a')?.restarts).toBe(5);
  });

  it('a leaf that always breaks starts (3+1)*(2+1) times under two levels, then the root ends with nothing alive', () => {
    let starts = 0;
    const leaf: ChildSpec = {
      id: 'leaf',
      restart: 'permanent',
      logic: fromDriver(() => {
        starts += 1;
        throw Object.assign(new Error('secret'), { code: 'EBUSY' });
      }),
    };
    const journal: Journal = [];
    const r = run(
      group('root', [child('a', journal), group('inner', [leaf])], { intensity: { restarts: 2, periodMs: 60_000 } }),
    );
    r.pass(10_000);
    expect(starts).toBe(12);
    expect(r.root.getSnapshot().output).toEqual({ ended: 'failed', reason: 'gave-up/inner/gave-up/leaf/EBUSY' });
    expect(journal).toEqual(['+a', '-a']);
  });
});

describe('parking', () => {
  const parked = (strategy: GroupSpec['strategy']) => {
    const journal: Journal = [];
    const r = run(
      group(
        'root',
        ['a', 'b', 'c'].map((id) => child(id, journal)),
        { strategy, onGiveUp: 'park', parkRetryMs: 5000, intensity: { restarts: 1, periodMs: 60_000 } },
      ),
    );
    drained(journal);
    r.root.send({ type: 'supervisor.kill', id: 'b' });
    r.pass(100);
    r.root.send({ type: 'supervisor.kill', id: 'b' });
    return { ...r, journal };
  };

  it('leaves one child down with its reason, the others up, and tries it again', () => {
    const r = parked('one_for_one');
    expect(r.find('b')).toMatchObject({ phase: 'parked', reason: 'killed' });
    expect(r.phase('a')).toBe('running');
    r.pass(4990);
    expect(r.phase('b')).toBe('parked');
    r.pass(10);
    expect(r.phase('b')).toBe('running');
    expect(r.lines).toContain('root parked b killed');
  });

  it("does not park a sibling for another one's storm", () => {
    const r = parked('one_for_one');
    r.root.send({ type: 'supervisor.kill', id: 'a' });
    expect(r.phase('a')).toBe('restarting');
  });

  it('parks what depends on the child too, and brings them back in order', () => {
    const r = parked('rest_for_one');
    expect(['a', 'b', 'c'].map(r.phase)).toEqual(['running', 'parked', 'parked']);
    drained(r.journal);
    r.root.send({ type: 'supervisor.revive', id: 'c' });
    expect(drained(r.journal)).toEqual(['+b', '+c']);
  });

  it('revives one at any depth, at once', () => {
    const journal: Journal = [];
    const inner = group('inner', [child('b', journal)], {
      onGiveUp: 'park',
      intensity: { restarts: 0, periodMs: 1000 },
    });
    const r = run(group('root', [group('middle', [inner])]));
    r.root.send({ type: 'supervisor.kill', id: 'b' });
    expect(r.phase('b')).toBe('parked');
    r.root.send({ type: 'supervisor.revive', id: 'b' });
    expect(r.phase('b')).toBe('running');
  });

  it('is not undone by a shutdown', () => {
    const r = parked('one_for_one');
    r.root.send({ type: 'supervisor.shutdown' });
    expect(r.root.getSnapshot().output).toEqual({ ended: 'stopped' });
    r.pass(6000);
    expect(r.journal.filter((entry) => entry === '+b')).toHaveLength(1);
  });
});

describe('orphans', () => {
  it('reaps the drivers of a machine whose action threw', () => {
    const journal: Journal = [];
    const r = run(group('root', [child('a', journal)]));
    r.registry.tell('a', { type: 'worker.break' });
    expect(journal).toEqual(['+a', '-a']);
    expect(r.find('a')).toMatchObject({ phase: 'restarting', reason: 'EBROKEN' });
    r.pass(100);
    expect(journal).toEqual(['+a', '-a', '+a']);
  });

  it('reaps them too when the group gives up', () => {
    const journal: Journal = [];
    const r = run(group('root', [child('a', journal)], { intensity: { restarts: 0, periodMs: 1000 } }));
    r.registry.tell('a', { type: 'worker.break' });
    expect(journal).toEqual(['+a', '-a']);
    expect(r.root.getSnapshot().status).toBe('done');
  });

  it('reaps a whole tree under a machine that is no supervisor', () => {
    const journal: Journal = [];
    const nested = setup({
      types: {} as { events: { type: 'break' } },
      actors: { inner: child('deep', journal).logic as ReturnType<typeof fromDriver> },
      actions: {
        breakDown: () => {
          throw new TypeError('no');
        },
      },
    }).createMachine({ invoke: { src: 'inner', id: 'inner', onError: {} }, on: { break: { actions: 'breakDown' } } });
    const r = run(group('root', [{ id: 'outer', logic: nested, restart: 'permanent' }]));
    r.registry.tell('outer', { type: 'break' });
    expect(journal).toEqual(['+deep', '-deep']);
    expect(r.find('outer')?.reason).toBe('TypeError');
  });
});

describe('nested groups', () => {
  const nest = (journal: Journal): GroupSpec =>
    group('root', [
      group('base', [child('a', journal), child('b', journal)], { strategy: 'rest_for_one' }),
      child('c', journal),
    ]);

  it('kills at any depth, and a group as a whole', () => {
    const journal: Journal = [];
    const r = run(nest(journal));
    drained(journal);
    r.root.send({ type: 'supervisor.kill', id: 'a' });
    expect(drained(journal)).toEqual(['-a', '-b']);
    r.pass(100);
    expect(drained(journal)).toEqual(['+a', '+b']);
    r.root.send({ type: 'supervisor.kill', id: 'base' });
    expect(drained(journal)).toEqual(['-a', '-b']);
    expect(r.find('base')).toMatchObject({ kind: 'group', phase: 'restarting' });
    expect(r.find('a')).toMatchObject({ phase: 'stopped', reason: 'group-down', since: null });
    r.pass(200);
    expect(drained(journal)).toEqual(['+a', '+b']);
    expect(r.registry.tell('a', { type: 'worker.count' })).toBe('delivered');
  });

  it('shut down in order, the bound of a group being the sum of its own', () => {
    const journal: Journal = [];
    const spec = group('root', [
      child('z', journal),
      group('in', [child('a', journal, { hang: true }), child('b', journal, { hang: true })]),
    ]);
    const r = run(spec);
    drained(journal);
    r.root.send({ type: 'supervisor.shutdown' });
    r.pass(500);
    expect(drained(journal)).toEqual(['-b']);
    r.pass(500);
    expect(drained(journal)).toEqual(['-a', '-z']);
    expect(r.root.getSnapshot().status).toBe('done');
  });

  it('refuses two children of one id', () => {
    const journal: Journal = [];
    expect(() => run(group('root', [child('a', journal), group('in', [child('a', journal)])]))).toThrow('duplicate');
  });
});

describe('what a supervisor survives', () => {
  it('an input that cannot be made is the crash of its child', () => {
    const journal: Journal = [];
    const bad = child('bad', journal, {
      restart: 'temporary',
      input: () => {
        throw new RangeError('secret');
      },
    });
    const r = run(group('root', [bad, child('a', journal)]));
    expect(r.find('bad')).toMatchObject({ phase: 'stopped', reason: 'RangeError' });
    expect(r.phase('a')).toBe('running');
  });

  it('a log that throws', () => {
    const journal: Journal = [];
    const r = run(group('root', [child('a', journal)]), {
      log: () => {
        throw new Error('disk full');
      },
    });
    expect(r.phase('a')).toBe('running');
  });

  it('kills of what is unknown, absent or down', () => {
    const journal: Journal = [];
    const r = run(group('root', [child('a', journal)]));
    r.root.send({ type: 'supervisor.kill', id: 'nobody' });
    r.root.send({ type: 'supervisor.kill', id: 'a' });
    r.root.send({ type: 'supervisor.kill', id: 'a' });
    r.root.send({ type: 'supervisor.revive', id: 'nobody' });
    r.pass(100);
    expect(r.find('a')).toMatchObject({ phase: 'running', restarts: 1 });
  });

  it('never puts a message of an error into facts or log', () => {
    const journal: Journal = [];
    const r = run(group('root', [child('a', journal)]));
    r.registry.tell('a', { type: 'worker.break' });
    expect(JSON.stringify(treeOf(r.root)) + r.lines.join()).not.toContain('10.0.0.1');
  });

  it('holds only JSON', () => {
    const journal: Journal = [];
    const { context } = run(group('root', [child('a', journal)])).root.getSnapshot();
    expect(JSON.parse(JSON.stringify(context))).toEqual(context);
  });
});
