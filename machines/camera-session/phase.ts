import type { StateValue } from 'xstate';

import type { SessionPhase } from './events.ts';

const phases: Readonly<Record<string, SessionPhase>> = {
  idle: 'idle',
  opening: 'opening',
  live: 'live',
  degraded: 'degraded',
  withdrawing: 'stopping',
  closing: 'stopping',
  stopping: 'stopping',
};

/** The phase of a session in this state; null while its part is off. */
export const phaseOf = (state: StateValue): SessionPhase | null =>
  phases[typeof state === 'string' ? state : (Object.keys(state)[0] ?? '')] ?? null;
