import type { EarFailure } from '../voice/events.ts';
import { checking, type Fix, needsYou, type Verdict, verdictOf, working } from '../kit/verdict.ts';
import type { MicrophoneContext, MicrophonePermission, MicrophoneScan } from './events.ts';

/** Allows the microphone where no question can be shown. */
const allowCommand: Fix = {
  command: 'sconce microphone allow',
  effect: 'Lets the voice assistant open the microphone on this machine, until it is forgotten or the panel is reset.',
};

/** Gives the user of the agent the right to open sound devices. */
const audioGroup = (user: string | null): Fix => ({
  command: `sudo usermod -aG audio ${user ?? '"$USER"'}`,
  effect: 'Lets the user of Sconce open sound devices; start Sconce again afterwards.',
});

const recorderOf = {
  parec: {
    command: 'sudo apt-get install -y --no-install-recommends pulseaudio-utils',
    effect: 'Installs parec, with which Sconce records through the sound server of this machine.',
  },
  arecord: {
    command: 'sudo apt-get install -y --no-install-recommends alsa-utils',
    effect: 'Installs arecord, with which Sconce records from the devices of this machine.',
  },
} as const satisfies Readonly<Record<string, Fix>>;

const noRecorder = (recorder: keyof typeof recorderOf): Verdict =>
  needsYou('no-recorder', `Sconce cannot record: ${recorder} is not installed.`, recorder, recorderOf[recorder]);

/** While voice is on and may not open it: why not, and what helps. */
const forbidden: Readonly<Record<Exclude<MicrophonePermission, 'allowed'>, Verdict>> = {
  needed: needsYou(
    'microphone-not-allowed',
    'The voice assistant is on, but no person has allowed the microphone, so it stays closed. Turn the voice assistant off and on, and answer at the panel; without a screen allow it here.',
    'Your consent in front of the panel.',
    allowCommand,
  ),
  asking: needsYou(
    'microphone-asked',
    'The panel asks whether the voice assistant may use the microphone; until then it stays closed. Answer on its screen.',
    'Your answer on the screen of the panel.',
  ),
  denied: needsYou(
    'microphone-denied',
    'The microphone was not allowed at the panel, so it stays closed. Turn the voice assistant off and on to be asked again.',
    'Your consent in front of the panel.',
  ),
  'no-place': needsYou(
    'microphone-no-place',
    'This panel has no screen to ask on whether the voice assistant may use the microphone, so it stays closed.',
    'Your consent, given on this machine.',
    allowCommand,
  ),
};

/** Why voice can use no source although the kernel may have one; what passes by itself is left out. */
function judgeEar(failure: EarFailure | null, user: string | null): Verdict | null {
  switch (failure) {
    case 'no-device':
      return needsYou('no-source', 'The sound system has no microphone now. Connect one.', 'A microphone.');
    case 'refused':
      return needsYou(
        'microphone-refused',
        'Sconce may not open the microphone.',
        'Permission to open the sound device.',
        audioGroup(user),
      );
    case 'no-recorder':
      return noRecorder('arecord');
    case 'source-unknown':
      return needsYou(
        'source-unknown',
        'The microphone that the settings or the profile name is not there. Connect it, or choose another one.',
        'That microphone.',
      );
    case 'no-echo-cancelled':
      return needsYou(
        'no-echo-cancelled',
        'No microphone of this machine is echo-cancelled, and the settings take no other. Choose another kind of microphone.',
        'An echo-cancelled microphone.',
      );
    default:
      return null;
  }
}

function judgeAllowed({ scan, user, earFailure }: MicrophoneContext): Verdict {
  if (scan?.found === 'devices' && scan.lacks !== undefined) return noRecorder(scan.lacks);
  return (
    judgeEar(earFailure, user) ?? working('microphone-ready', 'The microphone is closed until a turn of voice begins.')
  );
}

function judgeOff(scan: MicrophoneScan): Verdict {
  return scan.found === 'none'
    ? verdictOf(
        'off',
        'microphone-undetermined',
        'Only the sound server can tell whether there is a microphone; it is asked once the voice assistant is on.',
        'The voice assistant: turn it on under Configure > Voice.',
      )
    : verdictOf(
        'off',
        'voice-off',
        'The microphone is closed, because the voice assistant is off.',
        'The voice assistant: turn it on under Configure > Voice.',
      );
}

/** Whether this panel has a microphone, whether voice may use it, and whether it can be recorded. */
export function judgeMicrophone(context: MicrophoneContext): Verdict {
  const { scan, user, isVoiceOn, permission } = context;
  if (scan === null) return checking;
  if (scan.found === 'none' && scan.detail === 'suppressed_by_profile')
    return verdictOf('not_here', 'no-microphone-by-profile', "This panel's profile says that it has no microphone.");
  if (scan.found === 'none' && scan.detail === 'not_enumerated')
    return verdictOf(
      'not_here',
      'no-microphone',
      'No microphone is connected to this machine.',
      'A microphone: connect one by USB, or a sound card that has one; Sconce looks again every minute.',
    );
  if (scan.found === 'devices' && scan.refused === scan.count)
    return verdictOf(
      isVoiceOn ? 'needs_you' : 'off',
      'microphone-refused',
      'There is a microphone, and Sconce may not open it.',
      'Permission to open the sound device.',
      audioGroup(user),
    );
  if (!isVoiceOn) return judgeOff(scan);
  return permission === 'allowed' ? judgeAllowed(context) : forbidden[permission];
}
