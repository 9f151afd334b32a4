import { capabilitiesOf } from '../kit/capability.ts';
import { subsystem } from '../subsystem.ts';
import type { CameraActor } from './events.ts';
import { status } from './status.ts';
import { judgeCamera } from './verdict.ts';

export const camera = subsystem<CameraActor>()({
  ids: ['camera'],
  group: 'media',
  tags: [{ id: 'camera', about: 'The camera object.', after: 'proximity' }],
  probe: { type: 'camera.probe' },
  capabilities: capabilitiesOf<CameraActor>([
    { id: 'camera', title: 'Camera', actor: 'camera', after: 'zigbee', judge: ({ context }) => judgeCamera(context) },
  ]),
  status,
  problems: { 'camera-unavailable': 404 },
});
