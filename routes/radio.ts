import { z } from '@hono/zod-openapi';
import { gatewayAttributes } from '#machines/zigbee/attributes.ts';
import { ZigbeeGatewayStatus } from '#machines/zigbee/status.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import { json } from '#routes/kit/answer.ts';
import type { Family } from '#routes/kit/family.ts';

const Radio = z
  .object({
    present: z.boolean().meta({
      description: 'Whether the profile declares a Zigbee gateway; the rest of it is null where it does not.',
    }),
    state: ZigbeeGatewayStatus.shape.state.nullable(),
    status: z.string().nullable().meta({ description: 'One sentence on the gateway.' }),
    attributes: ZigbeeGatewayStatus.omit({ state: true }).nullable(),
    wifi: z
      .object({
        state: z.enum(['unknown', 'none', 'idle', 'joined']),
        signal_dbm: z.number().int().nullable(),
      })
      .meta({ description: 'The wireless network, without its name.' }),
  })
  .meta({
    id: 'Radio',
    description: 'The radios of the panel, bounded and without names of networks or devices.',
    example: {
      present: true,
      state: 'healthy',
      status: 'The Zigbee gateway runs and is joined to its network.',
      attributes: {
        gateway: 'simulated',
        running: true,
        joined: 'yes',
        cpu_percent: 2,
        busy: false,
        running_minutes: 5,
        restarts_10m: 0,
        reason: 'gateway-healthy',
        summary: 'The Zigbee gateway runs and is joined to its network.',
      },
      wifi: { state: 'joined', signal_dbm: -52 },
    },
  });

const wifiOf = (deps: RouteDeps): z.infer<typeof Radio>['wifi'] => {
  const reading = deps.registry.read('readings')?.context.reading;
  const signal = reading?.wifiSignalDbm ?? null;
  return { state: reading?.wifi ?? 'unknown', signal_dbm: signal === null ? null : Math.round(signal) };
};

/** Gateway and wireless facts of the panel. */
export const radioRoutes: Family = ({ declare, deps }) => {
  declare(
    {
      operationId: 'getRadio',
      method: 'get',
      path: '/api/v1/radio',
      tag: 'panel',
      summary: 'Zigbee gateway and Wi-Fi',
      description: 'As the parts that watch them saw it last; asking starts nothing.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      answers: {
        200: json('The radios.', Radio),
      },
      problems: [],
    },
    ({ answer }) => {
      const present = deps.registry.ids().includes('zigbee');
      const zigbee = deps.registry.read('zigbee')?.context;
      const radio: z.input<typeof Radio> = {
        present,
        state: zigbee?.state ?? null,
        status: zigbee?.verdict.detail ?? null,
        // The attributes are made by the entity's own function; the schema below the status document says which they
        // are.
        attributes:
          zigbee === undefined ? null : ZigbeeGatewayStatus.omit({ state: true }).parse(gatewayAttributes(zigbee)),
        wifi: wifiOf(deps),
      };
      return answer(200, radio);
    },
  );
};
