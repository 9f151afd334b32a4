import { z } from 'zod';
import { verdictWord } from '../kit/status.ts';
import { statusSection } from '../subsystem.ts';

/** Rebooting in the status document. */
export const status = statusSection({
  reads: ['power'],
  shape: () => ({
    power: z
      .object({
        state: verdictWord(),
        route: z.string().nullable().meta({ description: 'By which way it reboots; null without one.' }),
        last_reboot: z
          .object({
            origin: z.string().meta({ description: 'Who asked, such as `home-assistant` or `http`.' }),
            at: z.int().meta({ description: 'Milliseconds since the Unix epoch.' }),
            outcome: z.enum(['begun', 'refused', 'asked']).meta({ description: '`asked`: not answered yet.' }),
          })
          .nullable()
          .meta({ description: 'The newest reboot that was asked for since the agent started.' }),
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
