import { z } from 'zod';

import { statusSection } from '../subsystem.ts';
import { overall } from './decide.ts';
import { unused } from './facts.ts';

/** What the room is shown to be in use, in the status document. */
export const status = statusSection({
  reads: ['in-use'],
  shape: () => ({
    in_use: z
      .object({
        shown: z.enum(['none', 'overlay', 'led']).meta({
          description:
            'How the room is shown it, confirmed: by a square on the screen (amber for the microphone, red with the ' +
            'camera, twice as wide for both), or by the LED.',
        }),
        holders: z.array(z.enum(['camera', 'microphone'])).meta({ description: 'What is in use, or about to be.' }),
        refusal: z.string().nullable().meta({
          description: 'Why the room cannot be shown it, a stable code; null while it is, or while nothing is in use.',
        }),
      })
      .meta({ description: 'What is in use, and how the room is shown it.' }),
  }),
  view: ({ read }) => {
    const { holders, each } = read('in-use') ?? unused;
    const { shown, refusal } = overall(holders, each);
    return { in_use: { shown, holders: [...holders], refusal } };
  },
});
