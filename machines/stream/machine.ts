import { assign, setup } from 'xstate';
import type { WorkerOutcome } from '#machines/kit/outcome.ts';

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
  | { readonly type: 'stream.viewer-left' }
  | { readonly type: 'stream.stop' };

/** Most live viewers at a time; one more is refused with 429. */
export const maxViewers = 32;

/**
 * Gathers changes into revisions, at most one each 200 ms: quick for an eye, and cheap for a panel whose readings change often.
 */
export const streamMachine = setup({
  types: {
    context: {} as StreamContext,
    events: {} as StreamEvent,
    output: {} as WorkerOutcome,
  },
  actors: {},
  actions: {
    raiseRevision: assign({ revision: ({ context }) => context.revision + 1 }),
    addViewer: assign({ viewers: ({ context }) => context.viewers + 1 }),
    dropViewer: assign({ viewers: ({ context }) => Math.max(0, context.viewers - 1) }),
  },
  delays: { coalesce: 200 },
}).createMachine({
  id: 'stream',
  context: { revision: 0, viewers: 0 },
  initial: 'quiet',
  output: { ended: 'stopped' },
  on: {
    'stream.viewer-joined': { actions: 'addViewer' },
    'stream.viewer-left': { actions: 'dropViewer' },
    'stream.stop': { target: '.stopped' },
  },
  states: {
    quiet: { on: { 'stream.touched': { target: 'gathering' } } },
    gathering: { after: { coalesce: { target: 'quiet', actions: 'raiseRevision' } } },
    stopped: { type: 'final' },
  },
});
