import type { EventObject } from 'xstate';

import { observed } from '../kit/observed.ts';
import type { RelightContext } from './events.ts';

/**
 * Keeps a small process beside the agent that lights the screen once the agent is gone, if no service manager does
 * so.
 */
export const relightMachine = observed<RelightContext, EventObject>()<EventObject, never>({
  id: 'relight',
  initial: () => ({}),
  take: {},
  failed: 'relight-watcher',
});
