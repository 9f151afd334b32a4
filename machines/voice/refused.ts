import type { TriggerRefusal, VoicePhase } from './events.ts';

/** Why a trigger begins no turn, and what helps, for people. */
const words: Readonly<Record<TriggerRefusal, string>> = {
  off: 'Voice is off. Turn it on on the page Voice of this panel.',
  busy: 'The panel is listening or answering. Wait until it is done, or cancel it.',
  checking: 'The microphone is being checked. Wait a few seconds.',
  'not-allowed': 'The microphone is not allowed yet. Allow it at the panel.',
  'no-microphone': 'There is no microphone. Plug one in.',
  'microphone-refused': 'The system does not let this user open the microphone. The first page of this panel says how.',
  'microphone-muted': 'The microphone is muted. Unmute it in the sound settings of this machine.',
  'signed-out': 'The panel is not signed in to Home Assistant. Sign in on its page.',
  unavailable: 'Home Assistant does not answer. The panel tries again by itself.',
  'no-pipeline': 'Home Assistant has no voice assistant. Add one under Settings > Voice assistants.',
  'pipeline-deaf':
    'The chosen pipeline has no speech-to-text. Add it under Settings > Voice assistants, or choose another pipeline.',
  indication: 'The screen cannot show that the microphone is in use, so nothing listens.',
  parked: 'Voice failed too often and is paused. It is tried again in a few minutes.',
};

export const refusedWords = (reason: TriggerRefusal): string => words[reason];

const phases: Readonly<Record<VoicePhase, string>> = {
  off: words.off,
  idle: 'The panel waits for a press of its button.',
  listening: 'The panel listens.',
  processing: 'Home Assistant works out what was said.',
  responding: 'The panel answers.',
  error: 'The last turn failed.',
};

export const phaseWords = (phase: VoicePhase): string => phases[phase];

/** Code of that refusal on the routes. */
export type VoiceProblem = `voice-${TriggerRefusal}`;
