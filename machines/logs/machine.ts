import type { EventObject } from 'xstate';

import { observed } from '../kit/observed.ts';
import type { LogsContext, LogsEvent, LogsFact } from './events.ts';

/** The live log: how far it has come, and how many view it. */
export const logsMachine = observed<LogsContext, LogsEvent>()<EventObject, LogsFact>({
  id: 'logs',
  initial: () => ({ revision: 0, viewers: 0 }),
  take: {
    'log.moved': (_, { newest }) => ({ revision: newest }),
    'logs.viewer-joined': ({ viewers }) => ({ viewers: viewers + 1 }),
    'logs.viewer-left': ({ viewers }) => ({ viewers: Math.max(0, viewers - 1) }),
  },
  failed: 'log-tail',
});
