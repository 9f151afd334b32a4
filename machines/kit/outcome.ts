/** How a permanent worker machine ends: asked to stop, or failed with a reason (the supervisor counts that as a crash). */
export type WorkerOutcome = { readonly ended: 'stopped' } | { readonly ended: 'failed'; readonly reason: string };

/** The answer to a question put with `ask`: the request it belongs to, and the outcome. */
export interface ReplyEvent<T = unknown> {
  readonly type: 'reply';
  readonly requestId: string;
  readonly outcome: T;
}
