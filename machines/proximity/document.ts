import { z } from 'zod';

import { cues, stages } from './events.ts';

const status = z.enum(['not_tested', 'validated', 'not_detected', 'not_distinguishable', 'unavailable']);
const phase = z.enum(['unavailable', 'uncalibrated', 'calibrating', 'ready']);
const span = z.number().int().min(0).nullable();

/** What `GET /api/v1/proximity` answers. */
export const ProximityDocument = z
  .object({
    present: z.boolean().meta({ description: 'Whether a sensor is being read.' }),
    learning: phase.meta({ description: 'The same as `phase`, under its older name.' }),
    phase,
    stage: z
      .enum(stages)
      .nullable()
      .meta({ description: 'Stage of the running calibration, or how the last one ended; null where there was none.' }),
    sessionActive: z.boolean(),
    sessionId: z.string().nullable(),
    cue: z.enum(cues).nullable().meta({ description: 'What the person at the panel is to do now.' }),
    remainingMs: span.meta({ description: 'Until this cue is over; null while it waits for the person.' }),
    totalMs: span,
    stageRemainingMs: span.meta({ description: 'Until this stage is given up.' }),
    sessionRemainingMs: span.meta({ description: 'Until the whole calibration is given up.' }),
    waves: z.number().int().min(0).meta({ description: 'Waves accepted in this calibration, up to 3.' }),
    statuses: z.object({ presence: status, wave: status }),
    calibrated: z.object({ presence: z.boolean(), wave: z.boolean() }),
    calibratedAt: z.number().int().nullable(),
    canSave: z.boolean(),
    saving: z.boolean(),
    fault: z.string().nullable().meta({ description: 'Why the last save or reset failed, as a code.' }),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Why the last calibration ended without being saved, as a code.' }),
    near: z.boolean().nullable(),
    level: z
      .number()
      .int()
      .min(0)
      .max(100)
      .nullable()
      .meta({ description: '0 far to 100 near; null while it cannot be trusted.' }),
    reading: z
      .object({ raw: z.number().nullable(), level: z.number().int().nullable() })
      .meta({ description: 'The sensor while a calibration runs, in its own unit and as a level.' }),
    source: z.object({ driver: z.string(), name: z.string() }).nullable(),
  })
  .meta({ id: 'Proximity', description: 'The proximity sensor and its guided calibration.' });
export type ProximityDocument = z.infer<typeof ProximityDocument>;
