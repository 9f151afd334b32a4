import { assign } from 'xstate';
import { setup } from '../kit/setup.ts';
import type { StreamContext, StreamEvent } from './events.ts';

/**
 * Combines changes into revisions, at most one every 200 ms: fast enough for the eye, and cheap for a panel whose
 * readings change often. It has no stop event.
 */
export const streamMachine = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as StreamContext,
    events: {} as StreamEvent,
  },
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
  on: {
    'stream.viewer-joined': { actions: 'addViewer' },
    'stream.viewer-left': { actions: 'dropViewer' },
  },
  states: {
    quiet: { on: { 'stream.touched': { target: 'gathering' } } },
    gathering: { after: { coalesce: { target: 'quiet', actions: 'raiseRevision' } } },
  },
});
