import { z } from 'zod';
import { verdictWord } from '../kit/status.ts';
import { statusSection } from '../subsystem.ts';

/** The volume in the status document. */
export const status = statusSection({
  reads: ['volume'],
  shape: () => ({
    volume: z
      .object({
        state: verdictWord(),
        percent: z.int().min(0).max(100).nullable().meta({ description: 'Null while unknown.' }),
        muted: z.boolean().nullable().meta({ description: 'Null while unknown.' }),
        limit_percent: z.int().meta({ description: 'The loudest that is allowed, 0 to 100.' }),
        route: z.string().nullable().meta({ description: 'By which way it is set; null without one.' }),
        fault: z
          .string()
          .nullable()
          .meta({ description: 'Why the last change failed, a stable code; null after a good one.' }),
      })
      .nullable()
      .meta({ description: 'The volume. Null where the profile declares none, or while its part restarts.' }),
  }),
  view: ({ read }) => {
    const volume = read('volume');
    return {
      volume:
        volume === undefined
          ? null
          : {
              state: volume.verdict.state,
              percent: volume.percent,
              muted: volume.muted,
              limit_percent: volume.limitPercent,
              route: volume.route,
              fault: volume.fault,
            },
    };
  },
});
