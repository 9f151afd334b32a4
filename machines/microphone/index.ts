import { subsystem } from '../subsystem.ts';
import { voiceSettings } from '../voice/settings.ts';
import type { MicrophoneActor } from './events.ts';

/** Whether there is a microphone, and whether a person has allowed it. */
export const microphone = subsystem<MicrophoneActor>()({
  ids: ['microphone'],
  group: 'media',
  runsOn: 'listening',
  probe: { type: 'microphone.probe' },
  settings: { after: 'camera_kbps', object: voiceSettings },
  settingGroups: [{ id: 'voice', title: 'Voice', icon: 'mdi:microphone', after: 'camera' }],
  operations: {
    MICROPHONE_ACCESS: {
      in: 'every',
      title: 'Allow the microphone',
      consequence: 'The panel then listens when somebody presses its button. A mark on the screen shows when it does.',
      withoutPlace: 'On a panel without a screen, run sconce microphone allow on it.',
    },
  },
});
