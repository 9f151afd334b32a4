import { whileSetting } from '../kit/runs-while.ts';
import { subsystem } from '../subsystem.ts';
import { rows } from './entities.ts';
import type { CameraSessionActor } from './events.ts';
import { history } from './history.ts';
import { closedSession } from './off.ts';
import { status } from './status.ts';

/** The session of the camera, which runs while the owner lets it. */
export const cameraSession = subsystem<CameraSessionActor>()({
  ids: ['camera-session'],
  group: 'media',
  runsOn: 'filming',
  runsWhile: whileSetting('camera_enabled', { value: 'off', context: closedSession }),
  entities: rows,
  status,
  historyKinds: [{ kind: 'camera', about: 'camera', icon: 'mdi:camera' }],
  history,
});
