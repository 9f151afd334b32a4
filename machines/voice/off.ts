import type { VoiceContext } from './events.ts';

/** What others see of voice while it is off. */
export const closedVoice: VoiceContext = {
  turn: 0,
  source: null,
  round: 0,
  pipelineId: null,
  listed: null,
  system: null,
  sources: [],
  chosen: null,
  earFailure: null,
  health: 'ok',
  level: -1,
  link: 'unavailable',
  hasDevice: false,
  times: null,
  last: null,
  check: null,
  refusal: 'off',
  error: null,
  turns: 0,
  failures: 0,
};
