/**
 * How a permanent worker machine ends: asked to stop, or failed with a reason (the supervisor counts that as a crash).
 */
export type WorkerOutcome = { readonly ended: 'stopped' } | { readonly ended: 'failed'; readonly reason: string };

/** The answer to a question put with `ask`: the request it belongs to, and the outcome. */
export interface ReplyEvent<T = unknown> {
  readonly type: 'reply';
  readonly requestId: string;
  readonly outcome: T;
}

/**
 * Output of the final state that a worker machine enters when it was asked to stop; every other final state is a
 * failure.
 */
export const STOPPED = 'stopped';

/** A worker machine's outcome from the event of its final state: stopped, or failed with `reason`. */
export const outcomeOf = (done: { readonly output: unknown }, reason: string): WorkerOutcome =>
  done.output === STOPPED ? { ended: 'stopped' } : { ended: 'failed', reason };
