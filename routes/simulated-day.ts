import { z } from 'zod';
import { sleepReasons } from '#machines/auto-sleep/events.ts';
import { once } from '#machines/kit/once.ts';
import { refuse } from '#machines/kit/result.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import { json } from '#routes/kit/answer.ts';
import type { Family } from '#routes/kit/family.ts';
import { restarting } from '#routes/kit/problem.ts';

/** How long a request waits for a day; what is computed until then is ready for the next request. */
const dayMs: Milliseconds = 30_000;

const Query = once(() =>
  z.strictObject({
    seed: z.int().min(1).max(999_999).default(1).meta({ description: 'The same seed gives the same light.' }),
  }),
);

const lux = (description: string) => z.number().min(0).max(100_000).meta({ description });
const percent = (description: string) => z.int().min(0).max(100).meta({ description });

const Frame = once(() =>
  z.object({
    minuteOfDay: z.int().min(0).max(1439).meta({ description: 'Every fifth minute from midnight on.' }),
    lux: lux('Light on the sensor in lux.'),
    expectedLux: lux('What was expected, in lux.').nullable(),
    level: z.int().min(1).max(255).nullable().meta({ description: 'Brightness of the screen, 1 to 255.' }),
    state: z
      .enum(['unavailable', 'dark', 'following', 'preferred'])
      .meta({ description: '`preferred` while a level that a hand chose counts.' }),
  }),
);

const Minute = once(() =>
  z.object({
    minute: z.int().min(0).max(479).meta({ description: 'After 18:00.' }),
    isPresent: z.boolean().meta({ description: 'True while the person is in the room.' }),
    isSeen: z.boolean().meta({ description: 'True while a sensor sees a person.' }),
    isLit: z.boolean().meta({ description: 'True while the screen is lit.' }),
    reason: z.enum(sleepReasons).meta({ description: 'Why so.' }),
  }),
);

const Day = once(() =>
  z
    .object({
      seed: z.int().meta({ description: 'Of this light.' }),
      settings: z
        .object({
          minimumPercent: percent('Darkest.'),
          maximumPercent: percent('Brightest.'),
          responsePercent: percent('How strongly a difference from the expected light counts.'),
        })
        .meta({ description: 'The saved settings of the brightness.' }),
      frames: z.array(Frame()).max(288).meta({ description: 'All 288 of the day, five minutes each.' }),
      evening: z.array(Minute()).max(480).meta({
        description: 'A person comes and goes from 18:00 to 02:00, and the screen sleeps by two sensors.',
      }),
    })
    .meta({ id: 'SimulatedDay', description: 'A generated day, and how the brightness follows it.' }),
);

const example = {
  seed: 1,
  settings: { minimumPercent: 4, maximumPercent: 100, responsePercent: 50 },
  frames: [{ minuteOfDay: 720, lux: 612.4, expectedLux: 580.1, level: 241, state: 'following' as const }],
  evening: [{ minute: 95, isPresent: false, isSeen: false, isLit: true, reason: 'presence_lease' as const }],
};

/** A day of the simulated panel's room; on real hardware this route does not exist. */
export const simulatedDayRoutes: Family = ({ declare, deps }) => {
  if (!deps.simulated) return;
  declare(
    {
      operationId: 'getSimulatedDay',
      method: 'get',
      path: '/api/v1/simulator/day',
      tag: 'simulator',
      developer: true,
      summary: 'A day of the room, and how the brightness follows it',
      description:
        'Generated: dawn, clouds, lamps, curtains, on some days a hand. By the decisions of a real panel with the saved settings, after six days of which they have learned. No clock is changed. It takes some seconds; one day is computed at a time.',
      guard: 'active',
      protects: null,
      maxBodyBytes: 0,
      query: Query,
      answers: () => ({ 200: json('The day.', Day(), { example }) }),
      problems: ['restarting', 'day-busy'],
    },
    async ({ query, answer }) => {
      const values = deps.registry.read('settings')?.context.values;
      if (values === undefined) return restarting('settings');
      const valueOf = (name: string): number => Number(values[`auto_brightness_${name}_percent`]);
      const settings = {
        minimumPercent: valueOf('minimum'),
        maximumPercent: valueOf('maximum'),
        responsePercent: valueOf('response'),
      };
      const asked = await deps.registry.ask('simulator', { type: 'simulator.day', seed: query.seed, settings }, dayMs);
      if (!asked.ok)
        return asked.reason === 'timeout'
          ? refuse('day-busy', 'The day is still being computed. Try again in a few seconds.')
          : restarting('simulator');
      if (!asked.value.ok) return asked.value;
      const { seed, frames, evening } = asked.value.value;
      return answer(200, { seed, settings, frames: [...frames], evening: [...evening] });
    },
  );
};
