import { z } from 'zod';
import { refuse } from '#machines/kit/result.ts';
import { addressFamilyOf } from '#machines/mqtt/desired-broker.ts';
import { addressAdvice, targetOf } from '#machines/sign-in/address-advice.ts';
import { homeAssistantOrigin } from '#machines/sign-in/home-assistant-address.ts';
import { json } from '#routes/kit/answer.ts';
import type { Family } from '#routes/kit/family.ts';
import { restarting } from '#routes/kit/problem.ts';

const HomeAssistantProbe = z
  .object({
    ok: z.boolean().meta({ description: 'Whether a connection could be made.' }),
    error: z.enum(['no-address', 'unresolvable', 'unreachable']).optional().meta({ description: 'Why not.' }),
    message: z.string().meta({ description: 'The same in a sentence, with what to do; never the address.' }),
  })
  .meta({ id: 'HomeAssistantProbe', description: 'Whether anything listens at the address of Home Assistant.' });

/** Longest wait for a probe, in milliseconds: the driver's own bound of 5 s, and a little. */
const probeMs = 7_000;

/** The probe of the address of Home Assistant, before somebody signs in there. */
export const homeAssistantProbeRoutes: Family = ({ declare, deps }) => {
  declare(
    {
      operationId: 'probeHomeAssistant',
      method: 'get',
      path: '/api/v1/config/probe-home-assistant',
      tag: 'configuration',
      summary: 'Whether anything listens at the address of Home Assistant',
      description:
        'Opens one TCP or TLS connection to the configured address, sends nothing, and closes it; at most 5 s. A probe of a broker takes its place, and it takes that of one: 409 `probe-replaced`.',
      guard: 'active',
      protects: null,
      maxBodyBytes: 0,
      answers: {
        200: json('What came of it.', HomeAssistantProbe, {
          example: { ok: true, message: 'Something answers at its address.' },
        }),
      },
      problems: ['probe-replaced', 'restarting'],
    },
    async ({ answer }) => {
      const settings = deps.registry.read('settings')?.context;
      if (settings === undefined || settings.revision === 0) return restarting('settings');
      const origin = homeAssistantOrigin(String(settings.values['ha_url'] ?? ''));
      if (!origin.ok)
        return answer(200, {
          ok: false,
          error: 'no-address',
          message: 'There is no address of Home Assistant yet. Enter it under Configure.',
        });
      const target = {
        ...targetOf(origin.value),
        addressFamily: addressFamilyOf(settings.values['mqtt_address_family']),
      };
      const asked = await deps.registry.ask('broker-probe', { type: 'broker-probe.probe', target }, probeMs);
      if (!asked.ok) return restarting('broker-probe');
      const outcome = asked.value;
      switch (outcome.status) {
        case 'answered':
          return answer(200, { ok: true, message: 'Something answers at its address.' });
        case 'failed':
          return answer(200, { ok: false, error: outcome.error, message: addressAdvice(outcome, target) });
        case 'replaced':
          return refuse('probe-replaced', 'Another address is being checked by now. Check this one again.');
      }
    },
  );
};
