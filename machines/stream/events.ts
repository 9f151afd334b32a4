/** Facts of the live stream: that something changed, not what. */
export interface StreamContext {
  /** Incremented once for any number of changes within `coalesce`. */
  readonly revision: number;
  readonly viewers: number;
}

export type StreamEvent =
  /** Something in the status document may have changed. */
  | { readonly type: 'stream.touched' }
  | { readonly type: 'stream.viewer-joined' }
  | { readonly type: 'stream.viewer-left' };

/** Most live viewers at a time; more are refused with 429. */
export const maxViewers = 32;

export interface StreamActor {
  readonly id: 'stream';
  readonly context: StreamContext;
  readonly event: StreamEvent;
}
