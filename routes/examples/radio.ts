import type { z } from 'zod';
import type { Given } from '#routes/kit/answer.ts';
import type { Radio } from '#routes/radio.ts';

/** A gateway that runs, and a wireless network that was joined. */
export const radioExample: Given<z.input<ReturnType<typeof Radio>>> = {
  present: true,
  state: 'healthy',
  status: 'The Zigbee gateway runs and is joined to its network.',
  attributes: {
    gateway: 'zigbee2mqtt',
    running: true,
    joined: 'yes',
    cpu_percent: 2,
    busy: false,
    running_minutes: 45,
    restarts_10m: 0,
    reason: 'gateway-healthy',
    summary: 'The Zigbee gateway runs and is joined to its network.',
  },
  wifi: { state: 'joined', signal_dbm: -52 },
};
