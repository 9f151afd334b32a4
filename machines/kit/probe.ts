import { assign, emit } from 'xstate';

import { crashed, outcomeOf, type ReplyEvent, type WorkerOutcome } from './outcome.ts';
import { placeholder } from './placeholder.ts';
import { setup } from './setup.ts';
import { withEvent } from './with-event.ts';

/** Probes this target and cancels any probe under way; answered by one `reply` with a `ProbeAnswer`. */
export interface ProbeRequest<T> {
  readonly type: 'probe.begin';
  readonly requestId: string;
  readonly target: T;
}

/** What the driver of one probe reports, once. */
export interface ProbeEnded<O> {
  readonly type: 'probe.ended';
  readonly outcome: O;
}

/** Everything that reaches a probe. */
export type ProbeEvent<T, O> = ProbeRequest<T> | ProbeEnded<O>;

/** The answer to a probe request. */
export type ProbeAnswer<O> =
  | O
  /** Another probe was requested before this one ended. */
  | { readonly status: 'replaced' };

/** Public facts of a probe; never its target. */
export interface ProbeContext {
  /** The pending request; null while no probe is under way. */
  readonly requestId: string | null;
}

/** Facts of a probe with its target, which is forgotten at the end. */
interface ProbeFacts<T> extends ProbeContext {
  readonly target: T;
}

/** Parameters of a probe machine. */
interface ProbePlan<T> {
  /** Id of its machine. */
  readonly id: string;
  /** The empty target while no probe is under way. */
  readonly nowhere: T;
  /** Reason code for a crashed driver. */
  readonly failure: string;
}

/** A machine that probes one target at a time; each run of `connection` is one probe. */
export function probeMachine<T, O>({ id, nowhere, failure }: ProbePlan<T>) {
  const nothing: ProbeFacts<T> = { requestId: null, target: nowhere };
  const replyTo = ({ requestId }: ProbeContext, outcome: ProbeAnswer<O>): ReplyEvent<ProbeAnswer<O>> => ({
    type: 'reply',
    requestId: requestId ?? '',
    outcome,
  });
  // XState's types do not follow a generic input; `placeholder` checks that the driver takes the target of its plan.
  const probing = {
    src: 'connection',
    id: 'connection',
    input: ({ context }: { readonly context: ProbeFacts<T> }) => context.target,
    onError: 'failed',
  };
  return setup({
    // Type carriers of the library's own design; their values are never read.
    types: {
      context: {} as ProbeFacts<T>,
      events: {} as ProbeEvent<T, O>,
      emitted: {} as ReplyEvent<ProbeAnswer<O>>,
      output: {} as WorkerOutcome,
    },
    actors: { connection: placeholder<ProbeEvent<T, O>, T, ProbeEnded<O>>() },
    actions: {
      take: assign((_, { requestId, target }: ProbeRequest<T>) => ({ requestId, target })),
      replace: emit(({ context }) => replyTo(context, { status: 'replaced' })),
      answer: emit(({ context }, { outcome }: ProbeEnded<O>) => replyTo(context, outcome)),
      forget: assign(nothing),
    },
  }).createMachine({
    id,
    context: nothing,
    initial: 'resting',
    states: {
      resting: {
        entry: 'forget',
        on: { 'probe.begin': { target: 'probing', actions: withEvent('take') } },
      },
      probing: {
        invoke: probing as never,
        on: {
          'probe.begin': { target: 'probing', reenter: true, actions: ['replace', withEvent('take')] },
          'probe.ended': { target: 'resting', actions: withEvent('answer') },
        },
      },
      failed: { type: 'final', output: crashed(failure) },
    },
    output: outcomeOf,
  });
}
