import { z } from 'zod';

import type { ProximitySource, SourceCalibration } from './events.ts';
import { isSameSource } from './watch.ts';
import { once } from '../kit/once.ts';

/** Most sensors whose calibration is kept; the one calibrated longest ago makes room. */
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

/** The calibrations in a section of the document; none where it holds something else. */
export function readCalibrations(section: unknown): readonly SourceCalibration[] {
  const parsed = stored().safeParse(section);
  return parsed.success ? parsed.data.calibrations : [];
}

/** The section of the document for these calibrations. */
export const calibrationsSection = (
  calibrations: readonly SourceCalibration[],
): z.infer<ReturnType<typeof stored>> => ({
  version: 1,
  calibrations: [...calibrations],
});

/** The calibrations without that of one sensor. */
export const withoutSource = (
  calibrations: readonly SourceCalibration[],
  source: ProximitySource,
): readonly SourceCalibration[] => calibrations.filter((one) => !isSameSource(one.source, source));

/** The calibrations with a new one for its sensor. */
export const withCalibration = (
  calibrations: readonly SourceCalibration[],
  added: SourceCalibration,
): readonly SourceCalibration[] => [...withoutSource(calibrations, added.source), added].slice(-MOST_CALIBRATIONS);
