import { z } from 'zod';
import { refuse } from '#machines/kit/result.ts';
import { json } from '#routes/kit/answer.ts';
import type { Family } from '#routes/kit/family.ts';
import { restarting } from '#routes/kit/problem.ts';

/** How long the binding may take to be durable, in milliseconds: the store's own bound, and a little. */
const settleMs = 8_000;

/** The found broker. */
export const brokerRoutes: Family = ({ declare, deps }) => {
  declare(
    {
      operationId: 'confirmBroker',
      method: 'post',
      path: '/api/v1/config/confirm-broker',
      tag: 'configuration',
      summary: 'Say that the found broker is the right one',
      description: 'The stored password is bound to it and sent. 409 where no broker waits (`mqtt.confirm`).',
      guard: 'write',
      protects: null,
      maxBodyBytes: 1024,
      answers: {
        200: json('Bound, durably.', z.object({ ok: z.literal(true) }), { example: { ok: true } }),
      },
      problems: ['nothing-to-confirm', 'commit-failed', 'restarting'],
    },
    async ({ answer }) => {
      const asked = await deps.registry.ask('mqtt', { type: 'mqtt.confirm' }, settleMs);
      if (!asked.ok) return restarting('mqtt');
      const outcome = asked.value;
      switch (outcome.status) {
        case 'confirmed':
          return answer(200, { ok: true });
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
