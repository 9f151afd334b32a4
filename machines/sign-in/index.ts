import { capabilitiesOf, inField, onPage } from '../kit/capability.ts';
import { subsystem } from '../subsystem.ts';
import type { SignInActor } from './events.ts';
import { history } from './history.ts';
import { passwordEnds } from './password.ts';
import { signInSettings } from './settings.ts';
import { status } from './status.ts';
import { judgeSignIn } from './verdict.ts';

/** The sign-in to Home Assistant. */
export const signIn = subsystem<SignInActor>()({
  ids: ['sign-in'],
  group: 'access',
  tags: [
    { id: 'sign-in', about: 'Signing the panel in to Home Assistant; no token is ever answered.', after: 'dashboard' },
  ],
  supervisionGroups: [{ id: 'access', after: 'media', strategy: 'one_for_one', onGiveUp: 'park' }],
  settings: { after: null, object: signInSettings },
  settingGroups: [{ id: 'home-assistant', title: 'Home Assistant', icon: 'mdi:home-assistant', after: null }],
  capabilities: capabilitiesOf<SignInActor>([
    {
      id: 'sign-in',
      title: 'Sign-in',
      actor: 'sign-in',
      after: 'discovery',
      urgency: 30,
      pages: {
        ...onPage('/sign-in', [
          'sign-in-needed',
          'sign-in-pending',
          'sign-in-refused',
          'password-unreachable',
          ...passwordEnds,
        ]),
        ...inField('ha_url', ['certificate-other-name', 'address-fails']),
      },
      headlines: {
        'sign-in-pending': 'Finish the sign-in',
        'sign-in-refused': 'Sign in again',
        'certificate-untrusted': 'Trust the certificate of Home Assistant',
        'certificate-other-name': 'Correct the address of Home Assistant',
        'address-fails': 'Correct the address of Home Assistant',
        '*': 'Sign in to Home Assistant',
      },
      judge: ({ context }) => judgeSignIn(context),
    },
  ]),
  status,
  historyKinds: [{ kind: 'sign-in', about: 'home', icon: 'mdi:login' }],
  history,
  problems: {
    'bad-address': 400,
    'bad-origin': 400,
    'not-on-the-panel': 400,
    'no-address': 409,
    'origin-refused-by-platform': 409,
    'address-loops-back': 409,
  },
});
