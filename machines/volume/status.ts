import { z } from 'zod';
import { diagLine } from '../kit/diag.ts';
import { verdictWord } from '../kit/status.ts';
import { statusSection, textLines } from '../subsystem.ts';

/** The volume in the status document. */
export const status = statusSection({
  reads: ['volume'],
  shape: {
    volume: z
      .object({
        state: verdictWord,
        percent: z.number().int().min(0).max(100).nullable(),
        muted: z.boolean().nullable(),
        limit_percent: z.number().int(),
        route: z.string().nullable(),
        fault: z.string().nullable(),
      })
      .nullable(),
  },
  project: ({ read }) => {
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

/** The line of the diagnostics on the volume. */
export const diag = [
  textLines({
    order: 52,
    reads: ['volume'],
    lines: ({ read }) => {
      const volume = read('volume');
      return [
        diagLine('audio', {
          reason: volume?.verdict.reason,
          route: volume?.route,
          percent: volume?.percent,
          muted: volume?.muted,
          fault: volume?.fault ?? 'none',
        }),
      ];
    },
  }),
];
