import { z } from 'zod';
import { statusSection, textLines } from '../subsystem.ts';

/** Who this panel is, in the status document. */
export const status = statusSection({
  reads: ['identity', 'profile'],
  shape: {
    panel: z.object({
      id: z.string(),
      name: z.string(),
      manufacturer: z.string(),
      model: z.string(),
      system: z.string(),
      version: z.string(),
      profile: z.object({ id: z.string(), title: z.string(), simulated: z.boolean() }),
      started_at: z.number().int(),
    }),
  },
  project: ({ read, version, startedAt }) => {
    const identity = read('identity');
    const profile = read('profile');
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

/** The head of the panel's section. */
export const diag = [
  textLines({
    order: 10,
    reads: ['identity'],
    lines: ({ read, version }) => {
      const system = read('identity')?.system ?? '';
      return ['[panel]', `agent=${version}`, `system=${system === '' ? 'unknown' : system}`];
    },
  }),
];
