import type { EventObject } from 'xstate';

import { observed } from '../kit/observed.ts';
import type { LiveLogContext, LogsEvent, LiveLogFact } from './events.ts';

/** The live log: the position of its newest line, and its number of viewers. */
export const liveLogMachine = observed<LiveLogContext, LogsEvent>()<EventObject, LiveLogFact>({
  id: 'live-log',
  initial: () => ({ revision: 0, viewers: 0 }),
  take: {
    'log.moved': (_, { newest }) => ({ revision: newest }),
    'logs.viewer-joined': ({ viewers }) => ({ viewers: viewers + 1 }),
    'logs.viewer-left': ({ viewers }) => ({ viewers: Math.max(0, viewers - 1) }),
  },
  failed: 'log-tail',
});
