import { z } from 'zod';
import { verdictWord } from '../kit/status.ts';
import { statusSection } from '../subsystem.ts';

/** Route and last reboot in the status document. */
export const status = statusSection({
  reads: ['power'],
  shape: () => ({
    power: z
      .object({
        state: verdictWord(),
        route: z.string().nullable().meta({ description: 'How it reboots; null without a route.' }),
        last_reboot: z
          .object({
            origin: z.string().meta({ description: 'Origin of the request, such as `home-assistant` or `http`.' }),
            at: z.int().meta({ description: 'Milliseconds since the Unix epoch.' }),
            outcome: z.enum(['begun', 'refused', 'asked']).meta({ description: '`asked`: not answered yet.' }),
          })
          .nullable()
          .meta({ description: 'The last reboot requested since the agent started.' }),
      })
      .nullable()
      .meta({ description: 'Rebooting. Null where the profile declares none, or while its part restarts.' }),
  }),
  view: ({ read }) => {
    const power = read('power');
    return {
      power:
        power === undefined ? null : { state: power.verdict.state, route: power.route, last_reboot: power.lastReboot },
    };
  },
});
