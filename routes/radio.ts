import { z } from 'zod';
import { gatewayAttributes } from '#machines/zigbee/attributes.ts';
import { ZigbeeGatewayStatus } from '#machines/zigbee/status.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import { json } from '#routes/kit/answer.ts';
import type { Family } from '#routes/kit/family.ts';
import { once } from '#machines/kit/once.ts';

const Radio = once(() =>
  z
    .object({
      present: z.boolean().meta({
        description: 'True if the profile declares a Zigbee gateway; otherwise the other fields are null.',
      }),
      state: ZigbeeGatewayStatus().shape.state.nullable(),
      status: z.string().nullable().meta({ description: 'One sentence on the gateway.' }),
      attributes: ZigbeeGatewayStatus()
        .omit({ state: true })
        .nullable()
        .meta({ description: 'As the entity has them.' }),
      wifi: z
        .object({
          state: z
            .enum(['unknown', 'none', 'idle', 'joined'])
            .meta({ description: '`none`: no Wi-Fi here; `idle`: not connected.' }),
          signal_dbm: z.int().nullable().meta({ description: 'Strength in dBm, below 0; null while not measured.' }),
        })
        .meta({ description: 'The wireless network, without its name.' }),
    })
    .meta({ id: 'Radio', description: 'The radios of the panel, bounded and without names of networks or devices.' }),
);

function wifiOf(deps: RouteDeps): z.infer<ReturnType<typeof Radio>>['wifi'] {
  const reading = deps.registry.read('readings')?.context.reading;
  const signal = reading?.wifiSignalDbm ?? null;
  return { state: reading?.wifi ?? 'unknown', signal_dbm: signal === null ? null : Math.round(signal) };
}

export const radioRoutes: Family = ({ declare, deps }) => {
  declare(
    {
      operationId: 'getRadio',
      method: 'get',
      path: '/api/v1/radio',
      tag: 'panel',
      summary: 'Zigbee gateway and Wi-Fi',
      description: 'As their parts last observed it; the request starts no probe.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      answers: () => ({
        200: json('The radios.', Radio()),
      }),
      problems: [],
    },
    ({ answer }) => {
      const present = deps.registry.ids().includes('zigbee');
      const zigbee = deps.registry.read('zigbee')?.context;
      const radio: z.input<ReturnType<typeof Radio>> = {
        present,
        state: zigbee?.state ?? null,
        status: zigbee?.verdict.detail ?? null,
        // The entity's own function makes the attributes; its schema in the status document describes them.
        attributes:
          zigbee === undefined ? null : ZigbeeGatewayStatus().omit({ state: true }).parse(gatewayAttributes(zigbee)),
        wifi: wifiOf(deps),
      };
      return answer(200, radio);
    },
  );
};
