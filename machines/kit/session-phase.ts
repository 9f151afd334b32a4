import type { StateValue } from 'xstate';

import { ownField } from './own-field.ts';

/** The phase of each state of the camera's session: `stopping` until the process is gone and the device closed. */
const phases = {
  idle: 'idle',
  opening: 'opening',
  live: 'live',
  degraded: 'degraded',
  withdrawing: 'stopping',
  closing: 'stopping',
  stopping: 'stopping',
} as const;

/** What the camera's session is doing. */
export type SessionPhase = (typeof phases)[keyof typeof phases];

/** The phase of a session in this state; null while its part is off. */
export const phaseOf = (state: StateValue): SessionPhase | null =>
  ownField<SessionPhase>(phases, typeof state === 'string' ? state : (Object.keys(state)[0] ?? '')) ?? null;
