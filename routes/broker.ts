import { z } from 'zod';
import { refuse } from '#machines/kit/result.ts';
import { json } from '#routes/kit/answer.ts';
import type { Family } from '#routes/kit/family.ts';
import { restarting } from '#routes/kit/problem.ts';

/** A broker as it was found on the network. */
const FoundBroker = z
  .strictObject({
    name: z.string().min(1).max(255).meta({ description: 'Host name that Home Assistant is advertised on.' }),
    address: z.string().min(1).max(64).meta({ description: 'IP address that is connected to.' }),
    port: z.int().min(1).max(65_535).meta({ description: 'TCP port.' }),
  })
  .meta({ id: 'FoundBroker', description: 'A broker as it was found on the network.' });

const example = { name: 'homeassistant.local', address: '192.168.1.10', port: 1883 };

/** How long the link may take to say which one waits, in milliseconds. */
const readMs = 2_000;
/** How long the binding may take to be durable, in milliseconds: the store's own bound, and a little. */
const settleMs = 8_000;

/** The found broker. */
export const brokerRoutes: Family = ({ declare, deps }) => {
  declare(
    {
      operationId: 'getBrokerToConfirm',
      method: 'get',
      path: '/api/v1/config/confirm-broker',
      tag: 'configuration',
      summary: 'The found broker that waits to be confirmed',
      description: 'The status says whether one waits (`mqtt.confirm`), but neither name nor address.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      answers: {
        200: json(
          'The broker.',
          z.object({ waiting: FoundBroker.nullable().meta({ description: 'Null where none waits.' }) }),
          { example: { waiting: example } },
        ),
      },
      problems: ['restarting'],
    },
    async ({ answer }) => {
      const asked = await deps.registry.ask('mqtt', { type: 'mqtt.read-waiting' }, readMs);
      return asked.ok ? answer(200, { waiting: asked.value }) : restarting('mqtt');
    },
  );
  declare(
    {
      operationId: 'confirmBroker',
      method: 'post',
      path: '/api/v1/config/confirm-broker',
      tag: 'configuration',
      summary: 'Say that the found broker is the right one',
      description:
        'The stored password is bound to the broker that the body names, and sent to it. 409 where none waits, or another.',
      guard: 'write',
      protects: null,
      maxBodyBytes: 1024,
      body: {
        description: 'The broker as the GET shows it.',
        schema: FoundBroker,
        refusal: { code: 'bad-value' },
        example,
      },
      answers: {
        200: json('Bound, durably.', z.object({ ok: z.literal(true) }), { example: { ok: true } }),
      },
      problems: ['nothing-to-confirm', 'broker-changed', 'commit-failed', 'restarting'],
    },
    async ({ body, answer }) => {
      const asked = await deps.registry.ask('mqtt', { type: 'mqtt.confirm', broker: body }, settleMs);
      if (!asked.ok) return restarting('mqtt');
      const outcome = asked.value;
      switch (outcome.status) {
        case 'confirmed':
          return answer(200, { ok: true });
        case 'changed':
          return refuse(
            'broker-changed',
            'Nothing was changed: another broker waits by now than the one you confirmed. Read which (GET of this path, or Configure), and confirm that one if it is yours.',
          );
        case 'nothing':
          return refuse(
            'nothing-to-confirm',
            outcome.several
              ? "More than one Home Assistant was found, and it is unclear which is meant. Enter its broker's address under Configure."
              : 'No broker waits to be confirmed. The status says how the broker is.',
          );
        case 'commit-failed':
          return refuse(
            'commit-failed',
            `Nothing was changed: it could not be written to disk (${outcome.reason}). Free or repair the disk and try again.`,
          );
      }
    },
  );
};
