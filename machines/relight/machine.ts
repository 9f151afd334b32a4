import type { EventObject } from 'xstate';

import { observed } from '../kit/observed.ts';
import type { RelightContext } from './events.ts';

/**
 * Keeps a small process beside the agent that lights the screen when the agent is gone, for where no service manager
 * does it.
 */
export const relightMachine = observed<RelightContext, EventObject>()<EventObject, never>({
  id: 'relight',
  initial: () => ({}),
  take: {},
  failed: 'relight-watcher',
});
