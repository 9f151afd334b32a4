import { type AnyActorLogic, type AnyActorRef, createActor, fromTransition } from 'xstate';
import { afterEach, describe, expect, it } from 'vitest';

import { oneAtATime } from '#actors/kit/one-at-a-time.ts';
import { createRegistry } from '#actors/kit/registry.ts';
import { maintenanceSpec } from '#actors/maintenance.ts';
import { settingsSpec } from '#actors/settings.ts';
import { type JobKind, jobKinds } from '#machines/maintenance/events.ts';
import { HELD_WAIT_MS } from '#machines/settings/hold.ts';
import { createClock, settle as turn, timersOf } from '#test/fakes/kit-clock.ts';
import { memoryStore } from './settings/memory-store.ts';

async function settle(): Promise<void> {
  for (let times = 0; times < 8; times += 1) await turn();
}

let actors: AnyActorRef[] = [];
afterEach(() => {
  for (const actor of actors) actor.stop();
  actors = [];
});

/** A part that only is there. */
const holder = fromTransition((facts: object) => facts, {});

/** The jobs with the real writer of the settings on a stepped clock; `run` names the run of the agent. */
async function start(sections: Record<string, unknown> = {}, run = 'one') {
  const store = memoryStore(sections);
  const clock = createClock(0);
  const registry = createRegistry();
  const here = new Map<string, AnyActorRef>();
  registry.attach({ get: (id) => here.get(id) });
  const open = (id: string, logic: AnyActorLogic): void => {
    const actor = createActor(logic, { systemId: id });
    here.set(id, actor);
    actors.push(actor);
    actor.start();
    registry.started(id);
  };
  const end = (id: string): void => {
    here.get(id)?.stop();
    here.delete(id);
    registry.stopped(id);
  };
  const asking = {
    ...registry,
    ask: ((id: string, event: never, ms: number) =>
      id === 'store'
        ? store.ask('store', event, ms)
        : registry.ask(id as 'settings', event, ms)) as typeof registry.ask,
  };
  const writer = settingsSpec({
    registry: store,
    now: clock.now,
    clock: timersOf(clock),
    openFiles: [],
    recorded: null,
    mode: () => 'relaxed',
  });
  let tokens = 0;
  const jobs = maintenanceSpec({
    registry: asking,
    now: clock.now,
    run,
    generateToken: () => `job${(tokens += 1)}`,
  });
  open('settings', writer.logic);
  for (const id of ['reset', 'profile-catalog']) open(id, holder);
  open('maintenance', jobs.logic);
  await settle();
  return {
    store,
    registry,
    settle,
    open,
    end,
    reopen: (id: 'maintenance' | 'settings'): void => open(id, id === 'settings' ? writer.logic : jobs.logic),
    holder,
    shown: () => registry.read('maintenance'),
    pass: async (ms: number): Promise<void> => {
      clock.pass(ms, 100);
      await settle();
    },
    /** Begins a job; it goes on until `finish` is called. */
    job: (kind: JobKind, holderId: 'reset' | 'profile-catalog' = 'reset') => {
      let finish = (_end: Parameters<Parameters<typeof work>[0]>[0]): void => {};
      type End = Awaited<ReturnType<Parameters<typeof oneAtATime<string>>[2]>>['end'];
      const work = (resolve: (end: End) => void): void => {
        finish = resolve;
      };
      const outcome = oneAtATime(registry, { kind, holder: holderId, now: clock.now }, async (lane) => {
        const ended = await new Promise<End>(work);
        return { value: lane.token, end: ended };
      });
      return { outcome, finish: (ended: End) => finish(ended) };
    },
    /** Saves a name; resolves to the outcome's status. */
    save: async (name: string, how: object = {}): Promise<string> => {
      const asked = await registry.ask(
        'settings',
        { type: 'settings.merge', patch: { friendly_name: name }, ...how },
        1e6,
      );
      return asked.ok ? asked.value.status : asked.reason;
    },
  };
}

const done = { message: 'It is done.', result: { status: 'succeeded' } } as const;

describe('jobs run one at a time', () => {
  const pairs = jobKinds.flatMap((first) => jobKinds.map((second) => ({ first, second })));

  it.each(pairs)('$second is refused beside $first, which it names', async ({ first, second }) => {
    const { job, shown, settle: wait } = await start();
    const running = job(first);
    await wait();
    expect(shown()).toMatchObject({ value: 'running', context: { running: { kind: first } } });
    expect(await job(second, 'profile-catalog').outcome).toMatchObject({ busy: { kind: first, isOrdered: false } });
    running.finish(done);
    expect(await running.outcome).toEqual({ done: 'job1' });
    await wait();
    expect(shown()).toMatchObject({ value: 'idle', context: { running: null, last: { kind: first } } });
    const next = job(second);
    await wait();
    next.finish(null);
    expect(await next.outcome).toMatchObject({ done: 'job2' });
  });

  it('and of many that begin together, one wins', async () => {
    const { job, settle: wait } = await start();
    const all = Array.from({ length: 8 }, () => job('import'));
    await wait();
    for (const { finish } of all) finish(done);
    const outcomes = await Promise.all(all.map(({ outcome }) => outcome));
    expect(outcomes.filter((outcome) => 'done' in outcome)).toHaveLength(1);
  });

  it('a selection ends the trial of another', async () => {
    const { job, shown, settle: wait } = await start();
    const first = job('profile-select', 'profile-catalog');
    await wait();
    first.finish({ ordered: 'The profile is on trial.' });
    await first.outcome;
    expect(await job('reset').outcome).toMatchObject({ busy: { kind: 'profile-select', isOrdered: true } });
    const back = job('profile-rollback', 'profile-catalog');
    await wait();
    expect(shown()?.context).toMatchObject({
      running: { kind: 'profile-rollback' },
      last: { kind: 'profile-select', result: { status: 'skipped' } },
    });
    back.finish({ ordered: 'The previous profile is on trial.' });
    expect(await back.outcome).toMatchObject({ done: 'job2' });
  });

  it('one that did nothing leaves no record', async () => {
    const { job, shown, store, settle: wait } = await start();
    const one = job('reset');
    await wait();
    one.finish(null);
    await one.outcome;
    await wait();
    expect(shown()?.context).toEqual({ running: null, last: null, lastBackupAt: null });
    expect(store.sections['maintenance']).toMatchObject({ running: null, last: null });
  });

  it('one that throws has failed', async () => {
    const { registry, shown } = await start();
    const work = oneAtATime(registry, { kind: 'import', holder: 'reset', now: () => 7 }, () =>
      Promise.reject(new Error('bug')),
    );
    await expect(work).rejects.toThrow('bug');
    expect(shown()?.context).toMatchObject({
      running: null,
      last: { kind: 'import', result: { status: 'failed' }, message: expect.stringContaining('unexpectedly') },
    });
  });

  it('none begins while the part is absent', async () => {
    const { job, end } = await start();
    end('maintenance');
    expect(await job('import').outcome).toEqual({ busy: null });
  });
});

describe('while a job runs', () => {
  it.each(jobKinds.filter((kind) => kind !== 'backup'))('%s holds the settings until its end', async (kind) => {
    const { job, save, settle: wait } = await start();
    const running = job(kind);
    await wait();
    expect(await save('person', { from: 'network' })).toBe('busy');
    const entity = save('entity');
    expect(await save('own', { token: 'job1' })).toBe('saved');
    running.finish(done);
    expect(await entity).toBe('saved');
    expect(await save('person', { from: 'network' })).toBe('saved');
  });

  it('a save that waits is refused after ten seconds', async () => {
    const { job, save, settle: wait, pass } = await start();
    job('restore');
    await wait();
    const entity = save('entity');
    await wait();
    await pass(HELD_WAIT_MS);
    expect(await entity).toBe('busy');
  });

  it('a backup holds none', async () => {
    const { job, save, settle: wait } = await start();
    job('backup');
    await wait();
    expect(await save('person', { from: 'network' })).toBe('saved');
  });

  it('an ordered job holds them until the process ends', async () => {
    const { job, save, settle: wait, end, shown } = await start();
    const running = job('restore');
    await wait();
    running.finish({ ordered: 'The panel restarts now to carry out the restore.' });
    await running.outcome;
    end('reset');
    await wait();
    expect(shown()?.context).toMatchObject({
      running: { isOrdered: true, message: 'The panel restarts now to carry out the restore.' },
    });
    expect(await save('person', { from: 'network' })).toBe('busy');
  });

  it('a restart of the settings does not end the hold', async () => {
    const { job, save, settle: wait, end, reopen } = await start();
    const running = job('restore');
    await wait();
    end('settings');
    reopen('settings');
    await wait();
    expect(await save('person', { from: 'network' })).toBe('busy');
    running.finish(done);
    await wait();
    expect(await save('person', { from: 'network' })).toBe('saved');
  });
});

describe('a job whose part ends', () => {
  it('has failed, and the settings are free', async () => {
    const { job, save, settle: wait, end, open, shown } = await start();
    const running = job('import');
    await wait();
    end('reset');
    open('reset', holder);
    await wait();
    expect(shown()?.context).toMatchObject({
      running: null,
      last: { kind: 'import', result: { status: 'failed' }, message: expect.stringContaining('was restarted') },
    });
    expect(await save('person', { from: 'network' })).toBe('saved');
    // What the former instance still does counts no more.
    expect(await save('own', { token: 'job1' })).toBe('busy');
    running.finish(done);
    await wait();
    expect(shown()?.context.last?.result.status).toBe('failed');
  });

  it('of the jobs themselves has failed too, and the settings are free', async () => {
    const { job, save, settle: wait, end, reopen, shown } = await start();
    job('import');
    await wait();
    end('maintenance');
    reopen('maintenance');
    await wait();
    expect(shown()?.context).toMatchObject({ running: null, last: { result: { status: 'failed' } } });
    expect(await save('person', { from: 'network' })).toBe('saved');
  });

  it('of the jobs themselves goes on if it is ordered', async () => {
    const { job, save, settle: wait, end, reopen, shown } = await start();
    const running = job('reset');
    await wait();
    running.finish({ ordered: 'It is ordered.' });
    await running.outcome;
    await wait();
    end('maintenance');
    reopen('maintenance');
    await wait();
    expect(shown()?.context).toMatchObject({ running: { kind: 'reset', isOrdered: true, changes: true } });
    expect(await save('person', { from: 'network' })).toBe('busy');
  });
});

describe('after a restart', () => {
  /** The sections that a run leaves that ends in the middle of a job. */
  async function interrupted(kind: JobKind, end: 'ordered' | 'killed') {
    const first = await start();
    const running = first.job(kind, kind.startsWith('profile') ? 'profile-catalog' : 'reset');
    await first.settle();
    if (end === 'ordered') running.finish({ ordered: 'It is ordered.' });
    await first.settle();
    for (const actor of actors.splice(0)) actor.stop();
    return structuredClone(first.store.sections);
  }
  const catalogue = (state: string) =>
    fromTransition((facts: object) => facts, {
      boot: { commandLine: false, issues: [] },
      catalog: { activation: { state, since: 5, reason: null, detail: null } },
    });

  it.each(['import', 'revision-restore', 'backup', 'restore', 'reset'] as const)(
    'a killed %s has failed, and all is free',
    async (kind) => {
      const { shown, save, job, settle: wait } = await start(await interrupted(kind, 'killed'), 'two');
      expect(shown()?.context).toMatchObject({
        running: null,
        last: { kind, result: { status: 'failed' }, message: expect.stringContaining('was interrupted') },
      });
      expect(await save('person', { from: 'network' })).toBe('saved');
      const next = job('import');
      await wait();
      next.finish(done);
      expect(await next.outcome).toMatchObject({ done: expect.any(String) });
    },
  );

  it.each(['restore', 'reset'] as const)('an ordered %s that the start did not carry out is said', async (kind) => {
    const { shown } = await start(await interrupted(kind, 'ordered'), 'two');
    expect(shown()?.context).toMatchObject({
      running: null,
      last: { kind, result: { status: 'failed' }, message: expect.stringContaining('next start tries again') },
    });
  });

  it.each([
    ['active', 'succeeded'],
    ['rolled_back', 'rolled_back'],
  ] as const)('a profile on trial runs until it is %s', async (state, status) => {
    const next = await start(await interrupted('profile-select', 'ordered'), 'two');
    expect(next.shown()?.context.running).toMatchObject({ kind: 'profile-select', changes: false, isOrdered: true });
    expect(await next.job('import').outcome).toMatchObject({ busy: { kind: 'profile-select' } });
    // The panel works as ever meanwhile.
    expect(await next.save('person', { from: 'network' })).toBe('saved');
    next.end('profile-catalog');
    next.open('profile-catalog', catalogue('trial'));
    await next.settle();
    expect(next.shown()?.value).toBe('running');
    next.end('profile-catalog');
    next.open('profile-catalog', catalogue(state));
    await next.settle();
    expect(next.shown()).toMatchObject({ value: 'idle', context: { running: null, last: { result: { status } } } });
  });

  it('the last result is still there', async () => {
    const first = await start();
    const made = first.job('backup');
    await first.settle();
    made.finish({ message: 'A backup was made.', result: { status: 'succeeded' } });
    await made.outcome;
    await first.settle();
    const next = await start(structuredClone(first.store.sections), 'two');
    expect(next.shown()?.context).toMatchObject({
      last: { kind: 'backup', message: 'A backup was made.' },
      lastBackupAt: expect.any(Number),
    });
  });
});

describe('a disk that refuses', () => {
  it('does not keep a job from running', async () => {
    const { job, store, shown, settle: wait } = await start();
    store.failure = 'ENOSPC';
    const running = job('reset');
    await wait();
    running.finish({ message: 'It failed.', result: { status: 'failed' } });
    expect(await running.outcome).toMatchObject({ done: 'job1' });
    await wait();
    expect(shown()?.context).toMatchObject({ running: null, last: { result: { status: 'failed' } } });
  });
});
