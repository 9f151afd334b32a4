import { rowsOf } from '../kit/entity.ts';
import { voicePhaseOf, voicePhases } from '../kit/voice-phase.ts';
import type { VoiceActor } from './events.ts';

/** What the panel's voice is doing (contract, "Platform entities"); `off` also while it is turned off. */
export const rows = rowsOf<VoiceActor>([
  {
    entityKind: 'sensor',
    key: 'voice_state',
    name: 'Voice state',
    icon: 'mdi:microphone-message',
    deviceClass: 'enum',
    options: voicePhases,
    actor: 'voice',
    capability: 'microphone',
    expose: 'voice_state',
    available: () => true,
    read: ({ value }) => voicePhaseOf(value),
  },
]);
