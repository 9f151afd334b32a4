/** Facts of the live stream: what changed is not here, only that something did. */
export interface StreamContext {
  /** Raised once for any number of changes within `coalesce`. */
  readonly revision: number;
  readonly viewers: number;
}

export type StreamEvent =
  /** Something that the status document shows has changed. */
  | { readonly type: 'stream.touched' }
  | { readonly type: 'stream.viewer-joined' }
  | { readonly type: 'stream.viewer-left' };

/** Most live viewers at a time; one more is refused with 429. */
export const maxViewers = 32;

/** What the actor of the live stream shows to the rest of the house. */
export interface StreamActor {
  readonly id: 'stream';
  readonly context: StreamContext;
  readonly event: StreamEvent;
}
