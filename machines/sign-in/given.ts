import { withEvent } from '../kit/with-event.ts';
import { signInSetup } from './implementations.ts';

/** The panel is signed in, by whatever method: the password is no longer needed. */
const signedIn = {
  guard: withEvent('hasCredential'),
  target: 'none',
  actions: ['forgetPassword', 'dropPassword'],
} as const;

/**
 * A password that was handed over: it is tried once if the panel is not signed in, and again only if Home Assistant was
 * not reached.
 */
export const given = signInSetup.createStateConfig({
  initial: 'none',
  on: {
    'password.held': [
      { guard: 'isSignedIn', target: '.none', actions: ['forgetPassword', 'dropPassword'] },
      {
        guard: withEvent('isStale'),
        target: '.none',
        actions: ['forgetPassword', { type: 'notePasswordEnd', params: { outcome: 'password-stale' } }],
      },
      { guard: 'needsSignIn', target: '.trying', actions: 'takePassword' },
      { target: '.waiting', actions: 'takePassword' },
    ],
    'password.ended': { target: '.none', actions: withEvent('notePasswordEnd') },
  },
  states: {
    none: { on: { 'credential.changed': { guard: withEvent('hasCredential'), actions: 'dropPassword' } } },
    waiting: { on: { 'credential.changed': [signedIn, { guard: withEvent('hasAddress'), target: 'trying' }] } },
    trying: {
      entry: ['notePasswordTry', 'tryPassword'],
      on: {
        'credential.changed': signedIn,
        'password.unreachable': [
          {
            guard: withEvent('isSentInVain'),
            target: 'none',
            actions: ['forgetPassword', { type: 'notePasswordEnd', params: { outcome: 'password-unanswered' } }],
          },
          { target: 'pausing', actions: withEvent('notePasswordLost') },
        ],
      },
    },
    pausing: {
      on: { 'credential.changed': signedIn },
      after: { passwordAgain: 'trying' },
    },
  },
});
