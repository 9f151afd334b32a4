import { z } from '@hono/zod-openapi';
import { simulatedParts } from '#machines/simulator/events.ts';
import { decideSimulator, simulatorTouch } from '#machines/simulator/touch.ts';
import { toRaw } from '#machines/screen/scale.ts';
import type { Family } from '#routes/kit/family.ts';
import { readObject } from '#routes/kit/body.ts';
import { noStore, noStoreDoc } from '#routes/kit/no-store.ts';
import { problem, restarting } from '#routes/kit/problem.ts';

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
      method: 'get',
      path: '/api/v1/simulator',
      tag: 'simulator',
      summary: 'The simulated hardware',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      answers: {
        200: {
          description: 'The simulated panel.',
          type: 'application/json',
          schema: Panel,
          headers: noStoreDoc,
        },
      },
      problems: ['restarting'],
    },
    (c) => {
      const simulator = deps.registry.read('simulator');
      return simulator === undefined ? restarting(c, 'simulator') : c.json(simulator.context.panel, 200, noStore);
    },
  );
  declare(
    {
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
      },
      answers: { 202: { description: 'Done.', type: 'application/json', schema: z.object({ ok: z.literal(true) }) } },
      problems: ['invalid-body', 'bad-value', 'restarting'],
    },
    async (c) => {
      const simulator = deps.registry.read('simulator');
      if (simulator === undefined) return restarting(c, 'simulator');
      const body = await readObject(c);
      if (!body.ok) return problem(c, body.reason, body.message);
      const { rawMax } = simulator.context.panel.screen;
      const decided = decideSimulator(body.value, (brightness) => toRaw(brightness, { low: 1, high: rawMax }));
      if (!decided.ok) return problem(c, decided.reason, decided.message);
      if (deps.registry.tell('simulator', decided.value) === 'absent') return restarting(c, 'simulator');
      return c.json({ ok: true }, 202);
    },
  );
};
