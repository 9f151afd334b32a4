import { z } from 'zod';
import { statusSection } from '../subsystem.ts';
import { callbackOutcomes } from './events.ts';
import { judgeSignIn } from './verdict.ts';

/** The sign-in in the status document. */
export const status = statusSection({
  reads: ['sign-in'],
  shape: {
    sign_in: z
      .object({
        phase: z.enum(['no-address', 'needed', 'pending', 'signed-in', 'refused']),
        method: z.enum(['oauth', 'long-lived']).nullable(),
        administrator: z
          .boolean()
          .nullable()
          .meta({ description: 'Whether the signed-in user administers Home Assistant; null while unknown.' }),
        reachable: z
          .boolean()
          .nullable()
          .meta({ description: 'Whether Home Assistant answered last; null before the first answer.' }),
        attempt_until: z
          .number()
          .int()
          .nullable()
          .meta({ description: 'When the open attempt ends, milliseconds since the Unix epoch.' }),
        last_outcome: z.enum(callbackOutcomes).nullable(),
        detail: z.string().meta({ description: 'One sentence; never an address or a name.' }),
      })
      .nullable()
      .meta({ description: 'The sign-in to Home Assistant; null while its part restarts.' }),
  },
  project: ({ read }) => {
    const signIn = read('sign-in');
    return {
      sign_in:
        signIn === undefined
          ? null
          : {
              phase: signIn.phase,
              method: signIn.method,
              administrator: signIn.administrator,
              reachable: signIn.reachable,
              attempt_until: signIn.attemptUntil,
              last_outcome: signIn.lastOutcome,
              detail: judgeSignIn(signIn).detail,
            },
    };
  },
});
