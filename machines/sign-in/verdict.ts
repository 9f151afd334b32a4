import { certificateAdvice, certificateFaultOf } from '../kit/certificate.ts';
import { needsYou, type Verdict, verdictOf, working } from '../kit/verdict.ts';
import type { SignInContext } from './events.ts';

/** The verdict on a certificate of Home Assistant that was not taken; null where that is not what is wrong. */
const judgeCertificate = (failure: string | null, then: string): Verdict | null => {
  const fault = certificateFaultOf(failure ?? '');
  if (fault === null) return null;
  const { detail, missing, fix } = certificateAdvice(fault, 'Home Assistant', then);
  return needsYou(fault, detail, missing, fix);
};

/** The verdict on the sign-in to Home Assistant. */
export const judgeSignIn = ({
  phase,
  reachable,
  failure,
  method,
}: Pick<SignInContext, 'phase' | 'reachable' | 'failure' | 'method'>): Verdict => {
  switch (phase) {
    case 'no-address':
      return verdictOf(
        'off',
        'no-address',
        'Enter the address of Home Assistant, and this panel can sign in and show a dashboard.',
        'The address of Home Assistant.',
      );
    case 'needed':
      return (
        judgeCertificate(failure, 'Then sign in again.') ??
        needsYou(
          'sign-in-needed',
          'Sign in to Home Assistant with your phone or in this browser; the panel never sees your password.',
          'A sign-in.',
        )
      );
    case 'pending':
      return needsYou(
        'sign-in-pending',
        'A sign-in was begun. Finish it on the page of Home Assistant, or begin anew.',
        'The end of the sign-in.',
      );
    case 'refused':
      return needsYou(
        'sign-in-refused',
        method === 'long-lived'
          ? 'Home Assistant no longer takes the access token of this panel. Sign in, or enter another token under Configure.'
          : 'Home Assistant no longer takes the sign-in of this panel: it was revoked. Sign in again.',
        'A new sign-in.',
      );
    case 'signed-in':
      if (reachable === null) return verdictOf('checking', 'signing-in', 'Sconce is signing in to Home Assistant.');
      if (reachable) return working('signed-in', 'This panel is signed in to Home Assistant.');
      return (
        judgeCertificate(failure, 'Sconce tries again by itself.') ??
        verdictOf(
          'working',
          'signed-in-unreachable',
          'This panel is signed in; Home Assistant does not answer right now, and Sconce keeps trying.',
          'An answer of Home Assistant.',
        )
      );
  }
};
