import { z } from 'zod';

import { cues, stages } from './events.ts';
import { once } from '../kit/once.ts';

const status = (what: string) =>
  z
    .enum(['not_tested', 'validated', 'not_detected', 'not_distinguishable', 'unavailable'])
    .meta({ description: `Whether ${what} can be told.` });
const phase = once(() =>
  z
    .enum(['unavailable', 'uncalibrated', 'calibrating', 'ready'])
    .meta({ description: '`ready` once it was calibrated; `unavailable` while no sensor is read.' }),
);
const span = once(() => z.number().int().min(0).nullable());

/** Answer of `GET /api/v1/proximity`. */
export const ProximityDocument = once(() =>
  z
    .object({
      present: z.boolean().meta({ description: 'Whether a sensor is being read.' }),
      learning: phase().meta({ description: 'The same as `phase`, under its older name.' }),
      phase: phase(),
      stage: z.enum(stages).nullable().meta({
        description: 'Stage of the running calibration, or how the last one ended; null where there was none.',
      }),
      sessionActive: z.boolean().meta({ description: 'Whether a calibration runs.' }),
      sessionId: z
        .string()
        .nullable()
        .meta({ description: 'Id that its next steps must name; null without a calibration.' }),
      cue: z.enum(cues).nullable().meta({ description: 'What the person at the panel should do now.' }),
      remainingMs: span().meta({
        description: 'Milliseconds until this cue is over; null while it waits for the person.',
      }),
      totalMs: span().meta({ description: 'Total duration of this cue in milliseconds.' }),
      stageRemainingMs: span().meta({ description: 'Milliseconds until this stage times out.' }),
      sessionRemainingMs: span().meta({ description: 'Milliseconds until the whole calibration times out.' }),
      waves: z.number().int().min(0).meta({ description: 'Waves accepted in this calibration, up to 3.' }),
      statuses: z
        .object({ presence: status('a person near the panel'), wave: status('a wave') })
        .meta({ description: 'What the sensor can recognise; each is tested separately.' }),
      calibrated: z
        .object({
          presence: z.boolean().meta({ description: 'True for presence.' }),
          wave: z.boolean().meta({ description: 'True for waves.' }),
        })
        .meta({ description: 'What the saved calibration covers.' }),
      calibratedAt: z
        .int()
        .nullable()
        .meta({ description: 'When it was saved; null for never. Milliseconds since the Unix epoch.' }),
      canSave: z.boolean().meta({ description: 'Whether its review may be saved.' }),
      saving: z.boolean().meta({ description: 'Whether a save or reset is being written.' }),
      fault: z.string().nullable().meta({ description: 'Why the last save or reset failed, as a code.' }),
      reason: z
        .string()
        .nullable()
        .meta({ description: 'Why the last calibration ended without being saved, as a code.' }),
      near: z.boolean().nullable().meta({ description: 'Whether a person is near; null while it cannot be trusted.' }),
      level: z
        .number()
        .int()
        .min(0)
        .max(100)
        .nullable()
        .meta({ description: '0 far to 100 near; null while it cannot be trusted.' }),
      reading: z
        .object({
          raw: z.number().nullable().meta({ description: 'In the sensor’s own unit.' }),
          level: z.int().nullable().meta({ description: '0 far to 100 near.' }),
        })
        .meta({ description: 'The sensor while a calibration runs; null otherwise.' }),
      source: z
        .object({
          driver: z.string().meta({ description: 'Id of its driver.' }),
          name: z.string().meta({ description: 'As the kernel names the device.' }),
        })
        .nullable()
        .meta({ description: 'The sensor that is read; null while none is.' }),
    })
    .meta({ id: 'Proximity', description: 'The proximity sensor and its guided calibration.' }),
);
export type ProximityDocument = z.infer<ReturnType<typeof ProximityDocument>>;
