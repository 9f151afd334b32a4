import { capabilitiesOf } from '../kit/capability.ts';
import { subsystem } from '../subsystem.ts';
import type { CameraActor } from './events.ts';
import { cameraSettings } from './settings.ts';
import { status } from './status.ts';
import { judgeCamera } from './verdict.ts';

export const camera = subsystem<CameraActor>()({
  ids: ['camera'],
  group: 'media',
  tags: [{ id: 'camera', about: 'The camera object, and pictures.', after: 'proximity' }],
  probe: { type: 'camera.probe' },
  settings: { after: 'announcement_duck_percent', object: cameraSettings },
  settingGroups: [{ id: 'camera', title: 'Camera', icon: 'mdi:camera', after: 'sound' }],
  capabilities: capabilitiesOf<CameraActor>([
    {
      id: 'camera',
      title: 'Camera',
      actor: 'camera',
      after: 'zigbee',
      urgency: 75,
      headlines: { '*': 'Get the camera to work' },
      judge: ({ context }) => judgeCamera(context),
    },
  ]),
  status,
  operations: {
    CAMERA_ENABLE: {
      in: 'every',
      title: 'Turn on the camera',
      consequence: 'Everybody on this network can then watch. A red square shows when it is in use.',
      withoutPlace: 'The camera is only turned on with a person in front of a screen that shows its mark.',
    },
  },
  // As panel-assistant; its route answers 404 where there is no camera at all.
  problems: {
    'camera-unavailable': 503,
    'camera-disabled': 503,
    'camera-permission-needed': 503,
    'camera-indication-unavailable': 503,
    'camera-foreground-refused': 503,
    'camera-starved': 503,
    'camera-encode-failed': 503,
    'camera-stream-encoder-unavailable': 503,
    'camera-stopping': 503,
    'camera-busy': 503,
  },
});
