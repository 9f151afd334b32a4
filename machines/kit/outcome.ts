/**
 * How a permanent worker machine ends: asked to stop, or failed with a reason (the supervisor counts that as a crash).
 * The error that made it fail travels in the output alone, never in a context: it is no plain JSON.
 */
export type WorkerOutcome =
  | { readonly ended: 'stopped' }
  | { readonly ended: 'failed'; readonly reason: string; readonly error?: unknown };

/** The answer to a question put with `ask`: the request it belongs to, and the outcome. */
export interface ReplyEvent<T = unknown> {
  readonly type: 'reply';
  readonly requestId: string;
  readonly outcome: T;
}

/** Output of the final state that a worker machine enters when it was asked to stop. */
export const stopped: WorkerOutcome = { ended: 'stopped' };

/** What leads into a final state; an error event of XState's also names the invoke and holds what it threw. */
interface Cause {
  readonly event: { readonly type: string; readonly actorId?: unknown; readonly error?: unknown };
}

/**
 * Output of the final state that the errors of invokes lead to: failed with the error and with `reason`, one for all or
 * one for each by the id of the invoke.
 */
export const crashed =
  (reason: string | Readonly<Record<string, string>>) =>
  ({ event }: Cause): WorkerOutcome => {
    const id = typeof event.actorId === 'string' ? event.actorId : '';
    const word = typeof reason === 'string' ? reason : (reason[id] ?? 'unknown');
    return { ended: 'failed', reason: word, ...('error' in event ? { error: event.error } : {}) };
  };

const isOutcome = (value: unknown): value is WorkerOutcome =>
  typeof value === 'object' &&
  value !== null &&
  'ended' in value &&
  (value.ended === 'stopped' || (value.ended === 'failed' && 'reason' in value && typeof value.reason === 'string'));

/** A worker machine's output: that of the final state it is in, unchanged; one that says nothing is a failure. */
export const outcomeOf = ({ event }: { readonly event: { readonly output: unknown } }): WorkerOutcome =>
  isOutcome(event.output) ? event.output : { ended: 'failed', reason: 'unknown' };
