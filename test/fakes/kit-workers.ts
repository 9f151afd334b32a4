import { assign, emit, setup } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { WorkerOutcome } from '#machines/kit/outcome.ts';
import type { ChildSpec, GroupSpec } from '#actors/kit/spec.ts';

/** What the drivers of the test workers did, in order: `+id` opened, `-id` cleaned up. */
export type Journal = string[];

/** What such a worker understands. */
export type WorkerEvent =
  | { type: 'worker.fail'; reason: string }
  | { type: 'worker.finish' }
  | { type: 'worker.break' }
  | { type: 'worker.count' }
  | { type: 'worker.ask'; requestId: string }
  | { type: 'worker.mute'; requestId: string }
  | { type: 'worker.stop' };

/** What such a worker shows outside. */
export interface WorkerActor {
  readonly id: string;
  readonly context: { readonly count: number };
  readonly event: WorkerEvent;
  readonly asks: { readonly 'worker.ask': string; readonly 'worker.mute': string };
  readonly emitted: { readonly type: 'counted'; readonly count: number };
}

/**
 * A worker with a driver: it can fail, finish, break (an action throws and its driver is orphaned), answer and hang.
 */
const worker = (id: string, journal: Journal, options: { hang?: boolean } = {}) =>
  setup({
    types: {} as {
      context: { count: number; reason: string };
      events: WorkerEvent;
      output: WorkerOutcome;
      emitted: { type: 'reply'; requestId: string; outcome: string } | { type: 'counted'; count: number };
    },
    actors: {
      device: fromDriver<{ type: 'none' }, undefined, { type: 'worker.finish' }>(() => {
        journal.push(`+${id}`);
        return () => void journal.push(`-${id}`);
      }),
    },
    actions: {
      breakDown: () => {
        throw Object.assign(new Error('secret address 10.0.0.1'), { code: 'EBROKEN' });
      },
      count: assign({ count: ({ context }) => context.count + 1 }),
      noteReason: assign({ reason: ({ event }) => (event.type === 'worker.fail' ? event.reason : 'device') }),
      sayCount: emit(({ context }) => ({ type: 'counted' as const, count: context.count })),
      answer: emit(({ event }) => ({
        type: 'reply' as const,
        requestId: 'requestId' in event ? event.requestId : '',
        outcome: `answer of ${id}`,
      })),
    },
    guards: { hangs: () => options.hang === true },
  }).createMachine({
    id,
    context: { count: 0, reason: '' },
    initial: 'up',
    invoke: { src: 'device', id: 'device', onError: { target: '.failed', actions: 'noteReason' } },
    on: {
      'worker.fail': { target: '.failed', actions: 'noteReason' },
      'worker.finish': '.stopped',
      'worker.break': { actions: 'breakDown' },
      'worker.count': { actions: ['count', 'sayCount'] },
      'worker.ask': { actions: 'answer' },
      'worker.stop': [{ guard: 'hangs' }, { target: '.stopped' }],
    },
    states: { up: {}, failed: { type: 'final' }, stopped: { type: 'final' } },
    output: ({ context }) =>
      context.reason === '' ? { ended: 'stopped' } : { ended: 'failed', reason: context.reason },
  });

/** A child spec around such a worker. */
export function child(id: string, journal: Journal, over: Partial<ChildSpec> & { hang?: boolean } = {}): ChildSpec {
  const { hang, ...rest } = over;
  return {
    id,
    logic: worker(id, journal, { hang: hang === true }),
    restart: 'permanent',
    stop: { event: { type: 'worker.stop' }, withinMs: 500 },
    ...rest,
  };
}

/** A group with short pauses and no jitter; what matters is given by the test. */
export const group = (id: string, children: GroupSpec['children'], over: Partial<GroupSpec> = {}): GroupSpec => ({
  id,
  strategy: 'one_for_one',
  intensity: { restarts: 3, periodMs: 60_000 },
  onGiveUp: 'escalate',
  backoff: { firstMs: 100, capMs: 30_000, jitter: 0 },
  children,
  ...over,
});
