import { z } from 'zod';
import { statusSection } from '../subsystem.ts';
import { gatewayAttributes } from './attributes.ts';

/** The Zigbee gateway as the status document and `/api/v1/radio` show it: the entity's state and its attributes. */
export const ZigbeeGatewayStatus = z
  .object({
    state: z.enum(['unchecked', 'starting', 'healthy', 'warning', 'problem', 'not_running']),
    gateway: z.string().nullable().meta({ description: 'The program that drives the radio, from a closed list.' }),
    running: z.boolean().nullable(),
    joined: z.enum(['yes', 'no', 'unknown']).meta({ description: '`unknown` where nothing that can be read tells.' }),
    cpu_percent: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'Share of one core since the look before; null where unmeasured.' }),
    busy: z.boolean().meta({ description: 'More than half a core in each of the last five minutes.' }),
    running_minutes: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'In steps of five; null where it does not run or cannot be told.' }),
    restarts_10m: z.number().int(),
    reason: z.string(),
    summary: z.string(),
  })
  .meta({
    id: 'ZigbeeGateway',
    description: 'Health of the Zigbee gateway; never a network, a device or a process number.',
  });

/** The gateway's field of the status document. */
export const status = statusSection({
  reads: ['zigbee'],
  shape: {
    zigbee_gateway: ZigbeeGatewayStatus.nullable().meta({
      description: 'Null where the profile declares none, or while its part restarts.',
    }),
  },
  project: ({ read }) => {
    const zigbee = read('zigbee');
    return {
      zigbee_gateway:
        zigbee === undefined ? null : ZigbeeGatewayStatus.parse({ state: zigbee.state, ...gatewayAttributes(zigbee) }),
    };
  },
});
