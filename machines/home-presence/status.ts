import { z } from 'zod';

import { statusSection } from '../subsystem.ts';
import { entityLookups, evidenceCodes, presenceStates } from './events.ts';

/** Home Assistant in the status document. */
export const status = statusSection({
  reads: ['home-presence'],
  shape: () => ({
    home_presence: z
      .object({
        state: z.enum(presenceStates).meta({
          description: '`restarting`: it said so itself, a moment ago. `unknown`: nothing speaks for it or against it.',
        }),
        evidence: z.array(z.enum(evidenceCodes)).meta({ description: 'What that is concluded from.' }),
        shows: z.enum(entityLookups).nullable().meta({
          description:
            'What Home Assistant shows of this panel, looked up over the connection to it; null where that is not known.',
        }),
        detail: z.string().meta({ description: 'One sentence; never an address or a name.' }),
      })
      .nullable()
      .meta({ description: 'Whether Home Assistant is there; null while its part restarts.' }),
  }),
  view: ({ read }) => {
    const presence = read('home-presence');
    return {
      home_presence:
        presence === undefined
          ? null
          : {
              state: presence.judged.state,
              evidence: [...presence.judged.evidence],
              shows: presence.lookup,
              detail: presence.verdict.detail,
            },
    };
  },
});
