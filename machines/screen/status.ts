import { z } from 'zod';
import { diagLine } from '../kit/diag.ts';
import { verdictWord } from '../kit/status.ts';
import { statusSection, textLines } from '../subsystem.ts';

/** The first screen's field of the status document. */
export const status = statusSection({
  reads: ['screen'],
  shape: {
    screen: z
      .object({
        state: verdictWord,
        lit: z.boolean().nullable(),
        brightness: z.number().int().min(0).max(255).nullable(),
        last_brightness: z.number().int().min(1).max(255),
        display: z.string().nullable(),
        routes: z
          .object({ brightness: z.string().nullable(), power: z.string().nullable() })
          .nullable()
          .meta({ description: 'By which route it is dimmed and by which it is switched; null while there is none.' }),
        fault: z.string().nullable(),
        changed: z.object({ by: z.string(), at: z.number().int() }).nullable(),
      })
      .nullable()
      .meta({ description: 'Null where the profile declares no screen, or while its part restarts.' }),
  },
  project: ({ read }) => {
    const screen = read('screen');
    return {
      screen:
        screen === undefined
          ? null
          : {
              state: screen.verdict.state,
              lit: screen.lit,
              brightness: screen.brightness,
              last_brightness: screen.lastBrightness,
              display: screen.display?.name ?? null,
              routes: screen.display?.routes ?? null,
              fault: screen.fault,
              changed: screen.changed,
            },
    };
  },
});

/** The first screen's line of the diagnostics. */
export const diag = [
  textLines({
    order: 50,
    reads: ['screen'],
    lines: ({ read }) => {
      const screen = read('screen');
      return [
        diagLine('screen', {
          reason: screen?.verdict.reason,
          lit: screen?.lit,
          brightness: screen?.brightness,
          raw_max: screen?.display?.rawMax,
          power: screen?.display?.power,
          dims_by: screen?.display?.routes?.brightness ?? 'none',
          switches_by: screen?.display?.routes?.power ?? 'none',
          fault: screen?.fault ?? 'none',
        }),
      ];
    },
  }),
];
