import { ownField } from '../kit/own-field.ts';
import type { VoicePhase } from '../kit/voice-phase.ts';

/** One sentence, and what would change it; `none` if there is nothing to do. */
export interface Words {
  readonly summary: string;
  readonly action: string;
}

const words = (summary: string, action = 'none'): Words => ({ summary, action });

const AGAIN = 'Try again.';
const CHECK = 'Check the microphone on the page Voice.';

const unmarked = words(
  'The room could not be shown that the microphone is in use.',
  'Light the screen; the mark needs the dashboard of Sconce’s own browser.',
);

/** Why voice cannot be used, or what ended the last turn. */
const faults: Readonly<Record<string, Words>> = {
  'not-allowed': words(
    'The microphone is not allowed yet.',
    'Allow it at the panel; on a panel without a screen run sconce microphone allow.',
  ),
  'no-microphone': words('There is no microphone that can be used.', `Connect one, or choose another one. ${CHECK}`),
  'no-device': words('There is no microphone that can be used.', 'Connect one; Sconce looks again every 10 seconds.'),
  'no-recorder': words(
    'No program that records sound is installed.',
    'Run sudo apt install pulseaudio-utils, or alsa-utils without a sound server.',
  ),
  'source-unknown': words(
    'The microphone that was chosen is not there.',
    'Connect it, or choose another one under Configure.',
  ),
  'no-echo-cancelled': words(
    'There is no echo-cancelled microphone.',
    'Load one in the sound system, or choose another kind of microphone under Configure.',
  ),
  'microphone-refused': words(
    'The system refuses the microphone.',
    'Let the user that runs Sconce use sound; TROUBLESHOOTING has the command.',
  ),
  refused: words(
    'The system refuses the microphone.',
    'Let the user that runs Sconce use sound; TROUBLESHOOTING has the command.',
  ),
  'microphone-muted': words('The microphone is muted.', 'Unmute it in the sound system.'),
  busy: words('Another program uses the microphone.', 'End it, or use a sound server, which shares it.'),
  moved: words('The sound system took the microphone away.', 'Connect it again.'),
  ended: words('The microphone stopped.', CHECK),
  stalled: words('The microphone delivers no sound.', CHECK),
  parked: words(
    'The microphone failed three times in a row and rests for 5 minutes.',
    'Check the microphone on the page Voice to try at once.',
  ),
  'not-closed': words(
    'The microphone could not be closed, so its mark stays.',
    'Unplug it, or restart the panel; the page Voice says when it is closed.',
  ),
  backlog: words('The connection to Home Assistant was too slow for speech.', 'Check the network.'),
  'signed-out': words('The panel is not signed in to Home Assistant.', 'Sign in under Setup.'),
  unavailable: words('Home Assistant could not be reached.', 'Check that it runs; the panel connects by itself.'),
  'no-pipeline': words(
    'Home Assistant has no assistant.',
    'Add one in Home Assistant under Settings > Voice assistants.',
  ),
  'pipeline-deaf': words(
    'The chosen assistant has no speech-to-text.',
    'Choose a speech-to-text for it in Home Assistant under Settings > Voice assistants, or choose another assistant.',
  ),
  'pipeline-not-found': words('The chosen assistant is no longer there.', 'Choose another one on the page Voice.'),
  indication: unmarked,
  'indication-no-browser': words(
    'The panel’s browser does not run, so the room cannot be shown that the microphone is in use.',
    'The page "/" says what is missing; a panel without a screen is started with --renderer none.',
  ),
  'indication-starting': words(
    'The panel’s browser is starting, and cannot show yet that the microphone is in use.',
    'Try again in a minute.',
  ),
  untouched: words(
    'The dashboard asked to listen, but the screen was not touched.',
    'Touch the Assist button, or the card itself.',
  ),
  timeout: words('Home Assistant did not answer within two minutes.', AGAIN),
  'no-answer': words('Home Assistant ended the question without an answer.', AGAIN),
};

/** Codes of Home Assistant by what they begin with. */
const families: readonly (readonly [string, Words])[] = [
  [
    'stt-',
    words('Home Assistant could not turn speech into text.', 'Check the speech-to-text of the assistant there.'),
  ],
  ['cloud-', words('Home Assistant Cloud refused.', 'Sign in to the cloud in Home Assistant.')],
  [
    'intent-',
    words('Home Assistant could not decide what to do.', 'Check the conversation agent of the assistant there.'),
  ],
  ['indication-', unmarked],
  ['reply-', words('The answer could not be played.', 'Check Announcements on the panel’s page.')],
  ['tts-', words('Home Assistant could not speak the answer.', 'Check the text-to-speech of the assistant there.')],
];

const other = words('The last question failed.', `${AGAIN} The code tells more.`);

/** The words for a stable code, whatever it is. */
export const faultWords = (code: string): Words =>
  ownField<Words>(faults, code) ?? families.find(([start]) => code.startsWith(start))?.[1] ?? other;

const phases: Readonly<Record<Exclude<VoicePhase, 'error'>, Words>> = {
  off: words('Voice is off.', 'Turn it on under Configure.'),
  idle: words('Voice is ready, and the microphone is closed.'),
  listening: words('The panel listens.'),
  processing: words('Home Assistant works on it.'),
  responding: words('The panel answers.'),
};

/** The sentence of voice: of a fault, or of its phase. */
export function voiceWords(phase: VoicePhase, refusal: string | null, error: string | null): Words {
  if (phase === 'error' && error !== null) return faultWords(error);
  if (phase === 'idle' && refusal === 'checking') return words('The microphone is being checked.');
  if ((phase === 'idle' || phase === 'off') && refusal !== null && refusal !== 'off' && refusal !== 'checking')
    return faultWords(refusal);
  return phase === 'error' ? other : phases[phase];
}
