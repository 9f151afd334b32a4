import type { StateValue } from 'xstate';
import type { MicrophoneContext } from '#machines/microphone/events.ts';
import type { VoicePhase } from '#machines/kit/voice-phase.ts';
import type { StageTimes, TurnResult, VoiceContext } from '#machines/voice/events.ts';
import { closedVoice } from '#machines/voice/off.ts';

/** A panel with a microphone that a person has allowed. */
export const allowedMicrophone: MicrophoneContext = {
  scan: { found: 'devices', count: 1, refused: 0 },
  user: 'sconce',
  isVoiceOn: true,
  permission: 'allowed',
  earFailure: null,
};

/** Milliseconds of a usual turn. */
const usualTimes: StageTimes = {
  opened: 90,
  started: 140,
  speechEnded: 2_300,
  understood: 2_650,
  decided: 2_720,
  answered: 2_760,
  sounded: 3_050,
  ended: 4_900,
};

export const doneTurn: TurnResult = {
  turn: 3,
  source: 'test',
  outcome: 'done',
  code: null,
  times: usualTimes,
  at: 1_700_000_000_000,
};

/** Voice that waits for a press, with two microphones and three pipelines, one of them without speech-to-text. */
export const readyVoice: VoiceContext = {
  ...closedVoice,
  listed: {
    pipelines: [
      { id: 'p-home', name: 'Home', hears: true, speaks: true },
      { id: 'p-cloud', name: 'Cloud', hears: true, speaks: false },
      { id: 'p-text', name: 'Typed only', hears: false, speaks: false },
    ],
    preferred: 'p-home',
  },
  system: 'pulse',
  sources: [
    { name: 'alsa_input.usb', title: 'USB microphone', kind: 'microphone', isDefault: true, isMuted: false },
    { name: 'echo_cancelled', title: 'Echo-cancelled', kind: 'echo-cancelled', isDefault: false, isMuted: false },
  ],
  chosen: 'echo_cancelled',
  link: 'live',
  hasDevice: true,
  refusal: null,
};

/** A state of the part in each phase. */
const states: Readonly<Record<VoicePhase, StateValue>> = {
  off: 'off',
  idle: { ready: 'idle' },
  error: { ready: 'error' },
  listening: { turn: 'listening' },
  processing: { turn: 'processing' },
  responding: { turn: 'responding' },
};

export const stateIn = (phase: VoicePhase): StateValue => states[phase];
