import { z } from 'zod';

import { simulatedRelay } from '#drivers/relays/simulated.ts';

import { type DriverEntry, driverEntry } from '../driver-entry.ts';
import { alwaysThere, noNeeds } from './evidence.ts';

/** The option that every relay has. */
const restore = z.enum(['keep', 'on', 'off']).default('keep').meta({
  description: 'State of the relay when the agent starts: `keep` the one it had last, `on`, or `off`.',
});

/** Drivers of relays. */
export const relayDrivers: readonly DriverEntry[] = [
  driverEntry({
    id: 'relay.simulated',
    kind: 'relay',
    title: 'Simulated relay',
    summary: 'A relay in memory.',
    options: z.strictObject({
      relay: z.int().min(1).max(4).default(1).meta({ description: 'Which relay of the simulated panel.' }),
      restore,
    }),
    needs: noNeeds,
    risks: ['none'],
    probe: 'It is always there.',
    look: alwaysThere,
    create: (options, { simulated }) => simulatedRelay(simulated(), options.relay, options.restore),
  }),
];
