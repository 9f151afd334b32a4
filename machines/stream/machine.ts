import { assign, setup } from 'xstate';
import { outcomeOf, stopped, type WorkerOutcome } from '../kit/outcome.ts';
import type { StreamContext, StreamEvent } from './events.ts';

/**
 * Gathers changes into revisions, at most one each 200 ms: quick for an eye, and cheap for a panel whose readings
 * change often.
 */
export const streamMachine = setup({
  types: {
    context: {} as StreamContext,
    events: {} as StreamEvent,
    output: {} as WorkerOutcome,
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
  output: outcomeOf,
  on: {
    'stream.viewer-joined': { actions: 'addViewer' },
    'stream.viewer-left': { actions: 'dropViewer' },
    'stream.stop': { target: '.stopped' },
  },
  states: {
    quiet: { on: { 'stream.touched': { target: 'gathering' } } },
    gathering: { after: { coalesce: { target: 'quiet', actions: 'raiseRevision' } } },
    stopped: { type: 'final', output: stopped },
  },
});
