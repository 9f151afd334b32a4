import type { StateValue } from 'xstate';

import { ownField } from './own-field.ts';

/** Voice phases (contract, "Platform entities", `sensor.<panel>_voice_state`). */
export const voicePhases = ['off', 'idle', 'listening', 'processing', 'responding', 'error'] as const;
export type VoicePhase = (typeof voicePhases)[number];

/** The phase of each state, by its name or the name of the state around it. */
const phases: Readonly<Record<string, VoicePhase>> = {
  'ready.idle': 'idle',
  'ready.error': 'error',
  'checking.showing': 'idle',
  'checking.open': 'idle',
  'checking.closing': 'idle',
  'turn.listening': 'listening',
  'turn.processing': 'processing',
  'turn.responding': 'responding',
  // The turn is over, and the microphone is being closed.
  ending: 'processing',
  // It could not be closed.
  stuck: 'error',
};

/** The phase of voice in this state; `off` while its part is off, stops or has ended. */
export function voicePhaseOf(state: StateValue): VoicePhase {
  if (typeof state === 'string') return ownField<VoicePhase>(phases, state) ?? 'off';
  const [outer, inner] = Object.entries(state)[0] ?? ['', ''];
  const name = typeof inner === 'string' ? inner : (Object.keys(inner ?? {})[0] ?? '');
  return ownField<VoicePhase>(phases, `${outer}.${name}`) ?? 'off';
}
