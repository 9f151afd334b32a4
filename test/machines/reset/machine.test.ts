import { createActor, fromPromise, SimulatedClock } from 'xstate';
import { describe, expect, it } from 'vitest';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { BeginOutcome, RunningJob } from '#machines/maintenance/events.ts';
import type {
  CancelOutcome,
  ResetOutcome,
  ResetRecord,
  SurroundingsCommand,
  TrialFact,
  Withdrawal,
} from '#machines/reset/events.ts';
import { type Ordering, resetMachine } from '#machines/reset/machine.ts';
import { phaseOf } from '#machines/reset/phase.ts';

async function settle(): Promise<void> {
  for (let n = 0; n < 20; n += 1) await Promise.resolve();
}
const withdrawn: Withdrawal = { status: 'withdrawn', entities: 24 };
const away: Withdrawal = { status: 'left', reason: 'away', entities: 24, topics: ['homeassistant/device/p/config'] };
const coded = (code: string): Error => Object.assign(new Error('no'), { code });

interface Options {
  readonly last?: ResetRecord | null;
  readonly enter?: () => Promise<BeginOutcome>;
  readonly read?: () => Promise<ResetRecord | null>;
  readonly withdraw?: () => Promise<Withdrawal>;
  readonly keep?: () => Promise<void>;
  readonly signOut?: () => Promise<void>;
  readonly surroundings?: () => void;
}

async function run(options: Options = {}) {
  const clock = new SimulatedClock();
  const order: string[] = [];
  const kept: Ordering[] = [];
  const reports: Extract<SurroundingsCommand, { type: 'lane.report' }>[] = [];
  const tokens: string[] = [];
  const answers: { requestId: string; outcome: ResetOutcome | CancelOutcome }[] = [];
  const faults: string[] = [];
  let say: (fact: TrialFact) => void = () => {};
  const actor = createActor(
    resetMachine.provide({
      actors: {
        surroundings: fromDriver<SurroundingsCommand, undefined, TrialFact>(({ send, onEvent }) => {
          say = send;
          onEvent((command) => {
            if (command.type === 'lane.report') return void reports.push(command);
            if (command.type === 'keys.forget') return void order.push('forget');
            order.push('release');
            options.surroundings?.();
          });
        }),
        enterLane: fromPromise(options.enter ?? (async () => ({ status: 'begun', token: 'lane' }) as const)),
        readRecord: fromPromise(options.read ?? (async () => options.last ?? null)),
        withdraw: fromPromise(async () => {
          order.push('withdraw');
          return (options.withdraw ?? (async () => withdrawn))();
        }),
        keepOrder: fromPromise<void, Ordering>(async ({ input }) => {
          order.push('keep');
          await options.keep?.();
          kept.push(input);
        }),
        signOut: fromPromise<void, { readonly token: string }>(async ({ input: { token } }) => {
          order.push('sign-out');
          tokens.push(token);
          await options.signOut?.();
        }),
      },
    }),
    { clock, input: { answerMs: 400, comesBack: [], failure: null } },
  );
  actor.on('reply', ({ requestId, outcome }) => void answers.push({ requestId, outcome }));
  actor.on('fault', ({ operation }) => void faults.push(operation));
  actor.start();
  await settle();
  return {
    actor,
    clock,
    order,
    kept,
    reports,
    tokens,
    answers,
    faults,
    trial: (trial: boolean) => say({ type: 'trial.changed', trial }),
    phase: () => phaseOf(actor.getSnapshot().value),
    context: () => actor.getSnapshot().context,
    start: async (withoutBroker = false, requestId = 'one') => {
      actor.send({ type: 'reset.start', requestId, scope: 'connection', by: 'http', at: 7, withoutBroker });
      await settle();
    },
  };
}

describe('a reset that the disk refused at the start', () => {
  const waiting: ResetRecord = { state: 'ordered', scope: 'settings', by: 'http', at: 3, leftBehind: 0 };
  const cancel = async (t: Awaited<ReturnType<typeof run>>): Promise<unknown> => {
    t.actor.send({ type: 'reset.cancel', requestId: 'back' });
    await settle();
    return t.answers.at(-1);
  };

  it('is taken back durably, and nothing else is touched', async () => {
    const t = await run({ last: waiting });
    expect(await cancel(t)).toEqual({ requestId: 'back', outcome: { status: 'cancelled' } });
    expect(t.kept).toEqual([{ record: null, before: waiting }]);
    expect([t.order, t.phase(), t.context().last]).toEqual([['release', 'keep'], 'idle', null]);
    expect(t.reports).toMatchObject([{ token: 'lane', end: { result: { status: 'skipped' } } }]);
    expect(await cancel(t)).toMatchObject({ outcome: { status: 'refused', reason: 'none' } });
  });

  it('stays ordered where the disk refuses that too', async () => {
    const t = await run({ last: waiting, keep: () => Promise.reject(coded('EROFS')) });
    expect(await cancel(t)).toEqual({ requestId: 'back', outcome: { status: 'failed', reason: 'EROFS' } });
    expect([t.faults, t.phase(), t.context().last]).toEqual([['reset-cancel'], 'idle', waiting]);
    expect(t.reports).toEqual([{ type: 'lane.report', token: 'lane', end: null }]);
  });

  it.each<[string, Options, boolean, string]>([
    ['there is none', {}, false, 'none'],
    ['it is done', { last: { ...waiting, state: 'done' } }, false, 'none'],
    ['one is under way', { withdraw: () => new Promise(() => {}) }, true, 'running'],
    ['the last one is not read yet', { read: () => new Promise(() => {}) }, false, 'unread'],
  ])('is not taken back while %s', async (_, options, begins, reason) => {
    const t = await run(options);
    if (begins) await t.start();
    expect(await cancel(t)).toMatchObject({ outcome: { status: 'refused', reason } });
  });
});

describe('beside another operation', () => {
  const running: RunningJob = {
    token: 'other',
    kind: 'restore',
    changes: true,
    since: 5,
    message: 'A restore is running.',
    isOrdered: false,
  };
  const enter = async (): Promise<BeginOutcome> => ({ status: 'busy', running });

  it('a reset changes nothing and names it', async () => {
    const t = await run({ enter });
    await t.start();
    expect(t.answers).toEqual([{ requestId: 'one', outcome: { status: 'busy', running } }]);
    expect([t.order, t.reports, t.phase()]).toEqual([['release'], [], 'idle']);
  });

  it('a reset that is ordered stays so', async () => {
    const last: ResetRecord = { state: 'ordered', scope: 'settings', by: 'http', at: 3, leftBehind: 0 };
    const t = await run({ enter, last });
    t.actor.send({ type: 'reset.cancel', requestId: 'back' });
    await settle();
    expect(t.answers).toEqual([{ requestId: 'back', outcome: { status: 'busy', running } }]);
    expect([t.order, t.context().last]).toEqual([['release'], last]);
  });

  it.each(['reset.start', 'reset.cancel'] as const)('%s is over if the operations fail', async (type) => {
    const last: ResetRecord = { state: 'ordered', scope: 'settings', by: 'http', at: 3, leftBehind: 0 };
    const t = await run({ enter: () => Promise.reject(coded('bug')), last });
    if (type === 'reset.start') await t.start();
    else t.actor.send({ type, requestId: 'one' });
    await settle();
    expect(t.answers).toEqual([{ requestId: 'one', outcome: { status: 'failed', reason: 'bug' } }]);
    expect([t.faults, t.phase(), t.reports]).toEqual([['reset-lane'], 'idle', []]);
  });
});

describe('a reset', () => {
  it('withdraws, writes the order down, signs out, answers, and only then restarts', async () => {
    const t = await run();
    await t.start();
    expect(t.order).toEqual(['release', 'withdraw', 'keep', 'forget', 'sign-out']);
    expect(t.tokens).toEqual(['lane']);
    expect(t.reports).toMatchObject([{ token: 'lane', end: { ordered: expect.stringContaining('restarts') } }]);
    expect(t.kept).toEqual([
      { record: { state: 'ordered', scope: 'connection', by: 'http', at: 7, leftBehind: 0 }, before: null },
    ]);
    expect(t.answers).toEqual([{ requestId: 'one', outcome: { status: 'ordered', entities: 24, leftBehind: [] } }]);
    expect([t.phase(), t.context().restartDue]).toEqual(['restarting', false]);
    t.clock.increment(399);
    expect(t.context().restartDue).toBe(false);
    t.clock.increment(1);
    expect([t.phase(), t.context().restartDue, t.context().scope]).toEqual(['restarting', true, 'connection']);
  });

  it('changes nothing where entities would stay, and announces them again', async () => {
    const t = await run({ withdraw: async () => away });
    await t.start();
    expect(t.order).toEqual(['release', 'withdraw', 'release']);
    expect(t.answers[0]?.outcome).toMatchObject({ status: 'entities-left', reason: 'away', entities: 24 });
    expect(t.reports).toEqual([{ type: 'lane.report', token: 'lane', end: null }]);
    expect([t.phase(), t.context().scope]).toEqual(['idle', null]);
  });

  it('goes on without the broker where that was agreed to, and remembers how much was left', async () => {
    const t = await run({ withdraw: async () => away });
    await t.start(true);
    expect(t.answers[0]?.outcome).toEqual({
      status: 'ordered',
      entities: 0,
      leftBehind: ['homeassistant/device/p/config'],
    });
    expect(t.kept[0]?.record?.leftBehind).toBe(1);
  });

  it.each<[string, Options, string, string]>([
    ['the withdrawal fails', { withdraw: () => Promise.reject(coded('EPIPE')) }, 'reset-withdraw', 'EPIPE'],
    ['the disk refuses the order', { keep: () => Promise.reject(coded('ENOSPC')) }, 'reset-order', 'ENOSPC'],
    ['something throws without a code', { keep: () => Promise.reject(new Error('x')) }, 'reset-order', 'unknown'],
  ])('is over and loses nothing where %s', async (_, options, fault, reason) => {
    const t = await run(options);
    await t.start();
    expect(t.answers).toEqual([{ requestId: 'one', outcome: { status: 'failed', reason } }]);
    expect([t.faults, t.phase(), t.context().restartDue]).toEqual([[fault], 'idle', false]);
    expect(t.order.at(-1)).toBe('release');
    expect(t.reports).toEqual([{ type: 'lane.report', token: 'lane', end: null }]);
    await t.start(false, 'two');
    expect(t.answers.at(-1)?.requestId).toBe('two');
  });

  it('is not held up by a sign-out that fails once it is written down', async () => {
    const t = await run({ signOut: () => Promise.reject(coded('ETIMEDOUT')) });
    await t.start();
    expect([t.faults, t.answers[0]?.outcome.status, t.phase()]).toEqual([['reset-sign-out'], 'ordered', 'restarting']);
  });

  it('waits for a profile that is being tried', async () => {
    const t = await run();
    t.trial(true);
    await t.start();
    expect(t.answers[0]?.outcome).toEqual({ status: 'refused', reason: 'trial' });
    t.trial(false);
    await t.start(false, 'two');
    expect(t.answers[1]?.outcome.status).toBe('ordered');
    expect(t.order.filter((step) => step === 'withdraw')).toHaveLength(1);
  });

  it('is made one at a time', async () => {
    const t = await run({ withdraw: () => new Promise(() => {}) });
    await t.start();
    await t.start(false, 'two');
    expect(t.answers).toEqual([{ requestId: 'two', outcome: { status: 'refused', reason: 'running' } }]);
    expect(t.phase()).toBe('withdrawing');
  });
});

describe('the start', () => {
  it('reads the last reset, again while the store does not answer, and refuses until then', async () => {
    const last: ResetRecord = { state: 'done', scope: 'settings', by: 'http', at: 3, leftBehind: 0 };
    let tries = 0;
    const t = await run({
      read: async () => {
        tries += 1;
        if (tries < 3) throw coded('store-silent');
        return last;
      },
    });
    await t.start();
    expect(t.answers[0]?.outcome).toEqual({ status: 'refused', reason: 'unread' });
    t.clock.increment(1000);
    await settle();
    t.clock.increment(1000);
    await settle();
    expect([tries, t.context().last, t.faults]).toEqual([3, last, ['reset-read', 'reset-read']]);
  });

  it('releases what an earlier instance withdrew', async () => {
    expect((await run()).order).toEqual(['release']);
  });

  it('fails as a whole where its driver does', async () => {
    const t = await run({
      surroundings: () => {
        throw new Error('bug');
      },
    });
    expect(t.actor.getSnapshot().output).toMatchObject({ ended: 'failed', reason: 'reset-surroundings' });
  });
});
