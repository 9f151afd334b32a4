import { observed } from '../kit/observed.ts';
import type { CameraContext, CameraDriverCommand, CameraEvent, CameraFact, SessionFact } from './events.ts';
import { judgeDevices } from './judge-devices.ts';

/** Input of the camera's machine. */
export interface CameraInput {
  /** True if the profile says that there is no camera. */
  readonly suppressed: boolean;
}

/**
 * Says whether this panel has a camera, by scanning the system's video devices periodically without opening any; if
 * the profile says that there is none, its driver scans nothing. It also follows the session, for the verdict.
 */
export const cameraMachine = observed<CameraContext, CameraEvent, CameraInput>()<
  CameraDriverCommand,
  CameraFact,
  SessionFact
>({
  id: 'camera',
  initial: ({ suppressed }) => ({
    scan: suppressed ? judgeDevices(null, true) : null,
    user: null,
    isEnabled: false,
    session: null,
  }),
  take: {
    'camera.enumerated': (_, { devices, user = null }) => ({ scan: judgeDevices(devices, false), user }),
    'camera.session-changed': (_, { isEnabled, session }) => ({ isEnabled, session }),
  },
  hand: { 'camera.probe': () => ({ type: 'camera.enumerate' }) },
  failed: 'camera-driver',
  followerFailed: 'camera-follower',
});
