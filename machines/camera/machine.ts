import { observed } from '../kit/observed.ts';
import type { CameraContext, CameraDriverCommand, CameraEvent, CameraFact } from './events.ts';
import { judgeDevices } from './judge-devices.ts';
import { cameraView } from './view.ts';

/** Input of the camera's machine. */
export interface CameraInput {
  /** True if the profile says that there is no camera. */
  readonly suppressed: boolean;
}

/**
 * Says whether this panel has a camera, by scanning the system's video devices periodically without opening any; if
 * the profile says that there is none, its driver scans nothing.
 */
export const cameraMachine = observed<CameraContext, CameraEvent, CameraInput>()<CameraDriverCommand, CameraFact>({
  id: 'camera',
  initial: ({ suppressed }) => {
    const scan = suppressed ? judgeDevices(null, true) : null;
    return { scan, camera: cameraView(scan) };
  },
  take: {
    'camera.enumerated': (_, { devices, user = null }) => {
      const scan = judgeDevices(devices, false);
      return { scan, camera: cameraView(scan), user };
    },
  },
  hand: { 'camera.probe': () => ({ type: 'camera.enumerate' }) },
  failed: 'camera-driver',
});
