import { z } from 'zod';
import { verdictWord } from '../kit/status.ts';
import { statusSection } from '../subsystem.ts';

/** The music stream's volume, its limit and its route. */
export const status = statusSection({
  reads: ['volume'],
  shape: () => ({
    volume: z
      .object({
        state: verdictWord(),
        percent: z.int().min(0).max(100).nullable().meta({ description: 'Null while unknown.' }),
        muted: z.boolean().nullable().meta({ description: 'Null while unknown.' }),
        limit_percent: z.int().meta({ description: 'The maximum volume, 0 to 100.' }),
        route: z.string().nullable().meta({ description: 'What it is set with; null without a sound route.' }),
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
