import { z } from 'zod';
import { cameraRefusals } from '../kit/camera.ts';
import { phaseOf } from '../kit/session-phase.ts';
import { once } from '../kit/once.ts';
import { ageing } from '../kit/status.ts';
import { statusSection } from '../subsystem.ts';
import { cameraObject } from './view.ts';

const count = once(() => z.int().min(0));
const measured = once(() => z.int().nullable());

/** The camera object, served alone by `/api/v1/camera/status`. */
export const CameraStatus = once(() =>
  z
    .object({
      state: z
        .enum(['absent', 'disabled', 'permission_needed', 'idle', 'opening', 'live', 'degraded', 'stopping'])
        .meta({ description: '`absent`: no camera. `disabled`: it is turned off.' }),
      outcome: z.enum(['ok', ...cameraRefusals]).meta({ description: 'The outcome of requesting a picture now.' }),
      fault: z
        .enum([
          'none',
          'indication',
          'foreground',
          'permission',
          'open',
          'configure',
          'device_error',
          'disconnected',
          'starved',
          'encode',
          'stream_encoder',
        ])
        .meta({ description: 'What is broken.' }),
      fault_detail: z.string().nullable().meta({
        description: 'Stable code. While absent: `suppressed_by_profile`, `not_enumerated` or `undetermined`.',
      }),
      recovery: z.string().meta({ description: 'How it is being restored; `none` if nothing is broken.' }),
      clients: count().meta({ description: 'Users of the session.' }),
      last_frame_age_ms: measured().meta({ description: 'Null before the first frame.', ...ageing }),
      consecutive_failures: count().meta({ description: 'Failures in a row.' }),
      indication: z.enum(['none', 'overlay', 'led']).meta({ description: 'How the panel shows that it is in use.' }),
      live: z.boolean().meta({ description: 'Whether frames are arriving.' }),
      stream_clients: count().meta({ description: 'Viewers of the stream.' }),
      stream_port: measured().meta({ description: 'TCP port of the stream; null without one.' }),
      requested_fps: measured().meta({ description: 'Frames per second that were requested.' }),
      encoder: z.string().nullable().meta({ description: 'Encoder in use; null without one.' }),
      encode_width: measured().meta({ description: 'Pixels.' }),
      encode_height: measured().meta({ description: 'Pixels.' }),
      encode_fps: measured().meta({ description: 'Frames per second set at the encoder.' }),
      encode_kbps: measured().meta({ description: 'Kilobits per second set at the encoder.' }),
      delivered_fps: z.number().nullable().meta({ description: 'Frames per second delivered; one decimal.' }),
      delivered_kbps: measured().meta({ description: 'Kilobits per second delivered.' }),
      snapshot_exposure: z
        .enum(['none', 'converged', 'budget'])
        .meta({ description: 'How the last picture was exposed; `none` before one.' }),
      snapshot_exposure_fallbacks: count().meta({ description: 'Pictures taken before the exposure had settled.' }),
      summary: z.string().meta({ description: 'One sentence.' }),
      action: z.string().meta({ description: 'What would change it; `none` if there is nothing to do.' }),
    })
    .meta({ id: 'CameraStatus', description: 'Camera session status. Reading it never opens a camera.' }),
);

/** The camera object while its part restarts: nothing was scanned yet, and it says so. */
export const absentCamera = cameraObject({ scan: null, isEnabled: false, session: null, elapsed: 0 });

export const status = statusSection({
  reads: ['camera', 'camera-session'],
  uses: ['elapsed'],
  shape: () => ({ camera: CameraStatus() }),
  view: ({ read, view, elapsed }) => {
    const camera = read('camera');
    if (camera === undefined) return { camera: absentCamera };
    const snapshot = view('camera-session');
    const phase = snapshot === undefined ? null : phaseOf(snapshot.value);
    const session = snapshot === undefined || phase === null ? null : { phase, context: snapshot.context };
    return { camera: cameraObject({ ...camera, session, elapsed }) };
  },
});
