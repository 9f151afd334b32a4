import type { Milliseconds } from '../kit/units.ts';

/** Longest speech, from the first samples on (as panel-assistant); Home Assistant's own limit is 15 s of sound. */
const SPEECH_MS: Milliseconds = 15_000;
/** Longest turn, also in Home Assistant (as panel-assistant). */
const TURN_MS: Milliseconds = 120_000;
/** From the end of the answer to the next question: the player's last samples are still in the room. */
export const PAUSE_MS: Milliseconds = 300;
/** Turns of one conversation: the first, and five that Home Assistant asked for (as panel-assistant). */
export const ROUNDS = 6;
/** A press that lasts longer ends the speech when it ends. */
export const HOLD_MS: Milliseconds = 400;
/** Longest wait for the first samples: a recorder delivers within 0.1 s, a sound system that wakes up within 2 s. */
const OPEN_MS: Milliseconds = 5_000;
/** Longest wait for the mark, of a turn and of a check, which is confirmed or refused within 4 s. */
const MARK_MS: Milliseconds = 5_000;
/** Longest wait for the microphone to be closed, within a turn and when the part stops. */
const CLOSE_MS: Milliseconds = 2_000;
const STOP_MS: Milliseconds = 1_500;
/** How often the sources are listed while none can be used: a sound server may start after the agent. */
const LOOK_MS: Milliseconds = 10_000;
/** Failures of the microphone in a row before it rests, and for how long (as panel-assistant). */
export const FAULTS = 3;
const PARK_MS: Milliseconds = 300_000;
/** How long the screen says why a press began nothing. */
const NOTICE_MS: Milliseconds = 6_000;
/** Longest check: three seconds are recorded and played, and both programs are started. */
const CHECK_MS: Milliseconds = 15_000;

/** The delays of the machine. */
export const voiceDelays = {
  turnBound: TURN_MS,
  speechBound: SPEECH_MS,
  openBound: OPEN_MS,
  markBound: MARK_MS,
  pause: PAUSE_MS,
  closeBound: CLOSE_MS,
  stopBound: STOP_MS,
  checkBound: CHECK_MS,
  lookInterval: LOOK_MS,
  rest: PARK_MS,
  noticeTime: NOTICE_MS,
};
