/**
 * How a permanent worker machine ends: stopped on request, or failed with a reason (a crash to the supervisor). The
 * error is only in the output, never in a context: it is not plain JSON.
 */
export type WorkerOutcome =
  | { readonly ended: 'stopped' }
  | { readonly ended: 'failed'; readonly reason: string; readonly error?: unknown };

/** The answer to an `ask`: the id of the request, and the outcome. */
export interface ReplyEvent<T = unknown> {
  readonly type: 'reply';
  readonly requestId: string;
  readonly outcome: T;
}

/** Output of the final state of a worker machine that was asked to stop. */
export const stopped: WorkerOutcome = { ended: 'stopped' };

/** The event that leads into a final state; XState's error events also name the invoke and carry the error. */
interface Cause {
  readonly event: { readonly type: string; readonly actorId?: unknown; readonly error?: unknown };
}

/**
 * Output of the final state after an invoke's error: failed, with the error and with `reason`, either one for all
 * invokes or one per invoke id.
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

/** A worker machine's output: that of its final state, unchanged; a missing one is a failure. */
export const outcomeOf = ({ event }: { readonly event: { readonly output: unknown } }): WorkerOutcome =>
  isOutcome(event.output) ? event.output : { ended: 'failed', reason: 'unknown' };
