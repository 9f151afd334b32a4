import type { z } from 'zod';
import type { ProximityDocument } from '#machines/proximity/document.ts';
import type { Given } from '#routes/kit/answer.ts';
import type { Problem } from '#routes/kit/problem.ts';

type Shown = Given<z.input<ReturnType<typeof ProximityDocument>>>;

/** A sensor that was calibrated, with somebody before it. */
export const proximityExample: Shown = {
  present: true,
  learning: 'ready',
  phase: 'ready',
  stage: null,
  sessionActive: false,
  sessionId: null,
  cue: null,
  remainingMs: null,
  totalMs: null,
  stageRemainingMs: null,
  sessionRemainingMs: null,
  waves: 0,
  statuses: { presence: 'validated', wave: 'validated' },
  calibrated: { presence: true, wave: true },
  calibratedAt: 1_795_352_177_000,
  canSave: false,
  saving: false,
  fault: null,
  reason: null,
  near: true,
  level: 72,
  reading: { raw: null, level: null },
  source: { driver: 'proximity.iio', name: 'stk3310' },
};

/** A calibration that has just been opened: it waits for the person. */
export const calibrationExample: Shown = {
  ...proximityExample,
  learning: 'calibrating',
  phase: 'calibrating',
  stage: 'intro',
  sessionActive: true,
  sessionId: 'a1b2c3d4',
  cue: 'prepare',
  stageRemainingMs: 120_000,
  sessionRemainingMs: 300_000,
  statuses: { presence: 'not_tested', wave: 'not_tested' },
  calibrated: { presence: false, wave: false },
  calibratedAt: null,
  near: null,
  level: null,
};

/** A step while no sensor is being read. */
export const refusedExample: Given<z.input<ReturnType<typeof Problem>>> = {
  ok: false,
  error: 'proximity_source_required',
  message: 'No proximity sensor is being read. Its card on the status page says what is missing.',
};
