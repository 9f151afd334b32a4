import { z } from 'zod';
import { diagLine } from '../kit/diag.ts';
import { statusSection, textLines } from '../subsystem.ts';
import { projectCamera } from './project-camera.ts';

/** The camera object, served alone by `/api/v1/camera/status`. */
export const CameraStatus = z
  .object({
    state: z.literal('absent'),
    outcome: z.string(),
    fault: z.literal('none'),
    fault_detail: z.enum(['suppressed_by_profile', 'not_enumerated', 'undetermined']),
    recovery: z.literal('none'),
    clients: z.number().int(),
    last_frame_age_ms: z.number().int().nullable(),
    consecutive_failures: z.number().int(),
    indication: z.literal('none'),
    live: z.boolean(),
    stream_clients: z.number().int(),
    stream_port: z.number().int().nullable(),
    requested_fps: z.number().int().nullable(),
    encoder: z.string().nullable(),
    encode_width: z.number().int().nullable(),
    encode_height: z.number().int().nullable(),
    encode_fps: z.number().int().nullable(),
    encode_kbps: z.number().int().nullable(),
    delivered_fps: z.number().nullable(),
    delivered_kbps: z.number().int().nullable(),
    snapshot_exposure: z.literal('none'),
    snapshot_exposure_fallbacks: z.number().int(),
    summary: z.string(),
    action: z.string(),
  })
  .meta({ id: 'CameraStatus', description: 'Camera session status. Reading it never opens a camera.' });

/** The camera object while its part is being restarted: nothing was scanned yet, and it says so. */
export const absentCamera = projectCamera(null);

/** The camera's field of the status document. */
export const status = statusSection({
  reads: ['camera'],
  shape: { camera: CameraStatus },
  project: ({ read }) => ({ camera: read('camera')?.camera ?? absentCamera }),
});

/** The camera's line of the diagnostics. */
export const diag = [
  textLines({
    order: 55,
    reads: ['camera'],
    lines: ({ read }) => {
      const camera = read('camera')?.camera ?? absentCamera;
      return [
        diagLine('camera', {
          state: camera.state,
          fault_detail: camera.fault_detail,
          outcome: camera.outcome,
        }),
      ];
    },
  }),
];
