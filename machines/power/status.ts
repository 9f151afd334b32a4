import { z } from 'zod';
import { diagLine } from '../kit/diag.ts';
import { verdictWord } from '../kit/status.ts';
import { statusSection, textLines } from '../subsystem.ts';

/** Rebooting in the status document. */
export const status = statusSection({
  reads: ['power'],
  shape: {
    power: z
      .object({
        state: verdictWord,
        route: z.string().nullable(),
        last_reboot: z
          .object({ origin: z.string(), at: z.number().int(), outcome: z.enum(['begun', 'refused', 'asked']) })
          .nullable(),
      })
      .nullable(),
  },
  project: ({ read }) => {
    const power = read('power');
    return {
      power:
        power === undefined ? null : { state: power.verdict.state, route: power.route, last_reboot: power.lastReboot },
    };
  },
});

/** The line of the diagnostics on rebooting. */
export const diag = [
  textLines({
    order: 54,
    reads: ['power'],
    lines: ({ read }) => {
      const power = read('power');
      return [diagLine('power', { reason: power?.verdict.reason, route: power?.route })];
    },
  }),
];
