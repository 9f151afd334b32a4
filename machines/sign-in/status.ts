import { z } from 'zod';
import { statusSection } from '../subsystem.ts';
import { callbackOutcomes } from './events.ts';
import { passwordStates } from './password.ts';
import { judgeSignIn } from './verdict.ts';

/** The sign-in in the status document. */
export const status = statusSection({
  reads: ['sign-in'],
  shape: () => ({
    sign_in: z
      .object({
        phase: z
          .enum(['no-address', 'needed', 'pending', 'signed-in', 'refused'])
          .meta({ description: '`refused`: Home Assistant no longer takes the sign-in.' }),
        method: z
          .enum(['oauth', 'long-lived'])
          .nullable()
          .meta({ description: 'By a person, or by a long-lived token; null while signed in by neither.' }),
        administrator: z
          .boolean()
          .nullable()
          .meta({ description: 'Whether the signed-in user administers Home Assistant; null while unknown.' }),
        reachable: z
          .boolean()
          .nullable()
          .meta({ description: 'Whether Home Assistant answered last; null before the first answer.' }),
        failure: z.string().nullable().meta({
          description: 'Stable code of why it did not, such as `certificate-untrusted`; null while it does.',
        }),
        attempt_until: z
          .int()
          .nullable()
          .meta({ description: 'When the open attempt ends; null without one. Milliseconds since the Unix epoch.' }),
        last_outcome: z
          .enum(callbackOutcomes)
          .nullable()
          .meta({ description: 'What the last attempt came to; null before one.' }),
        settings_revision: z.int().meta({
          description: 'Revision of the settings that this is about (`configuration.revision`); 0 before the first.',
        }),
        password: z.enum(passwordStates).meta({
          description:
            'Where the sign-in with a password from a file (`--ha-pass-file`) stands; `none` without one and once it is done.',
        }),
        detail: z.string().meta({ description: 'One sentence; never an address or a name.' }),
      })
      .nullable()
      .meta({ description: 'The sign-in to Home Assistant; null while its part restarts.' }),
  }),
  view: ({ read }) => {
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
              failure: signIn.failure,
              attempt_until: signIn.attemptUntil,
              last_outcome: signIn.lastOutcome,
              settings_revision: signIn.settingsRevision,
              password: signIn.password,
              detail: judgeSignIn(signIn).detail,
            },
    };
  },
});
