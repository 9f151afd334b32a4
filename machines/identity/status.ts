import { z } from 'zod';
import { statusSection } from '../subsystem.ts';

export const status = statusSection({
  reads: ['identity', 'active-profile'],
  shape: () => ({
    panel: z
      .object({
        id: z.string().meta({ description: 'Panel id: 1 to 63 of a to z, 0 to 9 and _; "" until it is known.' }),
        name: z.string().meta({ description: 'Its name for people.' }),
        manufacturer: z.string().meta({ description: 'Maker of the hardware; "" while unknown.' }),
        model: z.string().meta({ description: 'Model of the hardware; "" while unknown.' }),
        system: z.string().meta({ description: 'Operating system with its version; "" while unknown.' }),
        version: z.string().meta({ description: 'Version of Sconce, semantic versioning.' }),
        profile: z
          .object({
            id: z.string().meta({ description: 'Id of the profile.' }),
            title: z.string().meta({ description: 'Its name for people.' }),
            simulated: z.boolean().meta({ description: 'Whether no hardware is touched.' }),
          })
          .meta({ description: 'The profile in use.' }),
        started_at: z.int().meta({ description: 'When the agent started. Milliseconds since the Unix epoch.' }),
      })
      .meta({ description: 'Who this panel is.' }),
  }),
  view: ({ read, version, startedAt }) => {
    const identity = read('identity');
    const profile = read('active-profile');
    return {
      panel: {
        id: identity?.panelId ?? '',
        name: identity?.friendlyName ?? '',
        manufacturer: identity?.manufacturer ?? '',
        model: identity?.model ?? '',
        system: identity?.system ?? '',
        version,
        profile: { id: profile?.id ?? '', title: profile?.title ?? '', simulated: profile?.simulated ?? false },
        started_at: startedAt,
      },
    };
  },
});
