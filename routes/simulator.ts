import { z } from '@hono/zod-openapi';
import { simulatedParts } from '#machines/simulator/events.ts';
import { decideSimulator, simulatorForm, simulatorTouch } from '#machines/simulator/touch.ts';
import { toRaw } from '#machines/screen/scale.ts';
import type { Family } from '#routes/kit/family.ts';
import { json } from '#routes/kit/answer.ts';
import { restarting } from '#routes/kit/problem.ts';

const Panel = z
  .object({
    screen: z.object({ raw: z.number().int(), rawMax: z.number().int(), powered: z.boolean() }),
    led: z.object({ on: z.boolean(), red: z.number().int(), green: z.number().int(), blue: z.number().int() }),
    relays: z.array(z.boolean()),
    buttonBacklight: z.number().int(),
    buttonLeds: z.array(z.boolean()),
    buttons: z.array(z.number().int().nullable()),
    held: z.array(z.boolean()),
    lux: z.number(),
    celsius: z.number(),
    humidity: z.number(),
    proximity: z.number().int(),
    zigbee: z.object({ running: z.boolean(), joined: z.boolean(), cpuPercent: z.number() }),
    unplugged: z.array(z.enum(simulatedParts)),
    volume: z.object({ percent: z.number().int(), muted: z.boolean() }),
    reboots: z.number().int(),
  })
  .meta({ id: 'SimulatedPanel', description: 'The hardware of the simulated panel as it is now.' });

/** The simulated panel's hardware; on real hardware these routes do not exist. */
export const simulatorRoutes: Family = ({ declare, deps }) => {
  if (!deps.simulated) return;
  declare(
    {
      operationId: 'getSimulator',
      method: 'get',
      path: '/api/v1/simulator',
      tag: 'simulator',
      summary: 'The simulated hardware',
      description: 'What real hardware would be, as the drivers left it.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      answers: {
        200: json('The simulated panel.', Panel),
      },
      problems: ['restarting'],
    },
    ({ answer }) => {
      const simulator = deps.registry.read('simulator');
      return simulator === undefined ? restarting('simulator') : answer(200, simulator.context.panel);
    },
  );
  declare(
    {
      operationId: 'touchSimulator',
      method: 'post',
      path: '/api/v1/simulator',
      tag: 'simulator',
      summary: 'Touch the simulated hardware',
      description:
        'What a person would do at a real panel: press a button, change the light in the room, turn the screen by its own switch.',
      guard: 'write',
      protects: null,
      maxBodyBytes: 16_384,
      body: {
        description: 'One of the forms.',
        schema: simulatorTouch,
        form: simulatorForm,
        refusal: { code: 'bad-value' },
        example: { press: 1 },
      },
      answers: { 202: json('Done.', z.object({ ok: z.literal(true) }), { example: { ok: true } }) },
      problems: ['restarting'],
    },
    ({ body, answer }) => {
      const simulator = deps.registry.read('simulator');
      if (simulator === undefined) return restarting('simulator');
      const { rawMax } = simulator.context.panel.screen;
      const command = decideSimulator(body, (brightness) => toRaw(brightness, { low: 1, high: rawMax }));
      if (deps.registry.tell('simulator', command) === 'absent') return restarting('simulator');
      return answer(202, { ok: true });
    },
  );
};
