import { capabilitiesOf, inField } from '../kit/capability.ts';
import { subsystem } from '../subsystem.ts';
import type { MicrophoneActor } from './events.ts';
import { status } from './status.ts';
import { judgeMicrophone } from './verdict.ts';

/** Whether there is a microphone, and whether a person has allowed it; it runs on every panel. */
export const microphone = subsystem<MicrophoneActor>()({
  ids: ['microphone'],
  group: 'media',
  probe: { type: 'microphone.probe' },
  capabilities: capabilitiesOf<MicrophoneActor>([
    {
      id: 'microphone',
      title: 'Microphone',
      actor: 'microphone',
      after: 'camera',
      urgency: 76,
      pages: inField('voice_enabled', [
        'voice-off',
        'microphone-undetermined',
        'microphone-not-allowed',
        'microphone-denied',
        'source-unknown',
        'no-echo-cancelled',
      ]),
      headlines: {
        '*': 'Let this panel hear you',
        'microphone-not-allowed': 'Allow the microphone',
        'microphone-asked': 'Answer the question at the panel',
        'microphone-denied': 'Allow the microphone',
        'microphone-no-place': 'Allow the microphone',
      },
      judge: ({ context }) => judgeMicrophone(context),
    },
  ]),
  status,
  operations: {
    MICROPHONE_ACCESS: {
      in: 'every',
      title: 'Allow the microphone',
      consequence:
        'At a press of its button, the panel sends what it hears to Home Assistant. A mark on the screen shows when.',
      withoutPlace: 'On a panel without a screen, run sconce microphone allow on it.',
    },
  },
});
