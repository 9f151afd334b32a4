import { z } from 'zod';

import type { ProximitySource, SourceCalibration } from './events.ts';
import { isSameSource } from './watch.ts';
import { once } from '../kit/once.ts';

/** Most sensors whose calibration is kept; beyond that, the oldest calibration is dropped. */
export const MOST_CALIBRATIONS = 8;

const references = once(() => z.object({ clear: z.number(), near: z.number() }).nullable());
const status = once(() => z.enum(['not_tested', 'validated', 'not_detected', 'not_distinguishable', 'unavailable']));

const stored = once(() =>
  z.object({
    version: z.literal(1),
    calibrations: z
      .array(
        z.object({
          source: z.object({ driver: z.string().max(64), name: z.string().max(64) }),
          calibration: z.object({
            mode: z.enum(['binary', 'ranged']),
            presence: references(),
            wave: references(),
            statuses: z.object({ presence: status(), wave: status() }),
            at: z.number(),
          }),
        }),
      )
      .max(MOST_CALIBRATIONS),
  }),
);

/** The calibrations in a section of the document; empty if it holds anything else. */
export function readCalibrations(section: unknown): readonly SourceCalibration[] {
  const parsed = stored().safeParse(section);
  return parsed.success ? parsed.data.calibrations : [];
}

export const calibrationsSection = (
  calibrations: readonly SourceCalibration[],
): z.infer<ReturnType<typeof stored>> => ({
  version: 1,
  calibrations: [...calibrations],
});

export const withoutSource = (
  calibrations: readonly SourceCalibration[],
  source: ProximitySource,
): readonly SourceCalibration[] => calibrations.filter((one) => !isSameSource(one.source, source));

/** The calibrations with a new one, which replaces any other for its sensor. */
export const withCalibration = (
  calibrations: readonly SourceCalibration[],
  added: SourceCalibration,
): readonly SourceCalibration[] => [...withoutSource(calibrations, added.source), added].slice(-MOST_CALIBRATIONS);
