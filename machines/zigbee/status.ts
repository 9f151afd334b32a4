import { z } from 'zod';
import { ageing } from '../kit/status.ts';
import { once } from '../kit/once.ts';
import { statusSection } from '../subsystem.ts';
import { gatewayAttributes } from './attributes.ts';
import { zigbeeGateways } from './events.ts';

/** The Zigbee gateway in the status document and in `/api/v1/radio`: the entity's state and its attributes. */
export const ZigbeeGatewayStatus = once(() =>
  z
    .object({
      state: z
        .enum(['unchecked', 'starting', 'healthy', 'warning', 'problem', 'not_running'])
        .meta({ description: '`unchecked` before the first sample.' }),
      gateway: z
        .enum([...zigbeeGateways, 'simulated'])
        .nullable()
        .meta({ description: 'The program that drives the radio; null before the first sample.' }),
      running: z.boolean().nullable().meta({ description: 'Null before the first sample.' }),
      joined: z.enum(['yes', 'no', 'unknown']).meta({ description: '`unknown` if nothing readable says so.' }),
      cpu_percent: z
        .int()
        .nullable()
        .meta({ description: 'Share of one core since the previous sample; null if unmeasured.' }),
      busy: z.boolean().meta({ description: 'More than half a core in each of the last five minutes.' }),
      running_minutes: z
        .int()
        .nullable()
        .meta({ description: 'In steps of five; null if it is not running or the time is unknown.', ...ageing }),
      restarts_10m: z.int().meta({ description: 'Restarts in the last ten minutes.' }),
      reason: z.string().meta({ description: 'Stable code of the verdict.' }),
      summary: z.string().meta({ description: 'One sentence.' }),
    })
    .meta({
      id: 'ZigbeeGateway',
      description: 'Health of the Zigbee gateway; never a network, a device or a process number.',
    }),
);

export const status = statusSection({
  reads: ['zigbee'],
  shape: () => ({
    zigbee_gateway: ZigbeeGatewayStatus().nullable().meta({
      description: 'Null where the profile declares none, or while its part restarts.',
    }),
  }),
  view: ({ read }) => {
    const zigbee = read('zigbee');
    return {
      zigbee_gateway:
        zigbee === undefined
          ? null
          : ZigbeeGatewayStatus().parse({ state: zigbee.state, ...gatewayAttributes(zigbee) }),
    };
  },
});
