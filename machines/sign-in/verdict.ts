import { certificateAdvice, certificateFaultOf } from '../kit/certificate.ts';
import { adviceOf } from '../kit/home-advice.ts';
import { needsYou, type Verdict, verdictOf, working } from '../kit/verdict.ts';
import type { PasswordState, SignInContext } from './events.ts';

/** The verdict on a certificate of Home Assistant that is not trusted; null for any other failure. */
function judgeCertificate(failure: string | null, then: string): Verdict | null {
  const fault = certificateFaultOf(failure ?? '');
  if (fault === null) return null;
  const { detail, missing, fix } = certificateAdvice(fault, 'Home Assistant', then);
  return needsYou(fault, detail, missing, fix);
}

const BY_HAND = 'Or sign in with your phone.';

/** The verdict on a sign-in with a password; null if there is nothing to report. */
function judgePassword(password: PasswordState): Verdict | null {
  switch (password) {
    case 'none':
    case 'held':
      return null;
    case 'trying':
      return verdictOf(
        'checking',
        'signing-in',
        'Sconce is signing in to Home Assistant with the password that it was given.',
      );
    case 'unreachable':
      return needsYou(
        'password-unreachable',
        `Home Assistant does not answer, so this panel is not signed in yet with the password that it was given; Sconce tries again by itself. ${BY_HAND}`,
        'An answer of Home Assistant.',
      );
    case 'password-refused':
      return needsYou(
        password,
        `Home Assistant does not take the user and password that this panel was given, and they are not tried again. Correct them (--ha-user and --ha-pass-file) and restart Sconce. ${BY_HAND}`,
        'A user and password that Home Assistant takes.',
      );
    case 'password-second-factor':
      return needsYou(
        password,
        'Home Assistant asks the user that this panel was given for a second factor, which only a person can enter. Sign in with your phone, or start Sconce with a user who has none.',
        'A second factor.',
      );
    case 'password-rejected':
      return needsYou(
        password,
        `Home Assistant did not let this panel in with the password that it was given: the user may be inactive or allowed at other addresses only, or Home Assistant has banned this panel’s address. Check its log, then restart Sconce. ${BY_HAND}`,
        'A user that Home Assistant lets in from this panel.',
      );
    case 'password-unanswered':
      return needsYou(
        password,
        `Home Assistant received the password of this panel three times and did not answer, so it is not sent again. Check Home Assistant, then restart Sconce. ${BY_HAND}`,
        'An answer of Home Assistant.',
      );
    case 'password-stale':
      return needsYou(
        password,
        `The password that this panel was given is for another Home Assistant than the one set under Configure, so it was not sent. Start Sconce with the right --ha-url, or correct the address. ${BY_HAND}`,
        'The Home Assistant that the password is for.',
      );
    case 'password-not-kept':
      return needsYou(
        password,
        `Home Assistant took the password that this panel was given, but the sign-in could not be saved. Free or repair the disk and restart Sconce. ${BY_HAND}`,
        'A disk that can be written.',
      );
  }
}

/** The verdict on an address at which the panel finds no Home Assistant; null for any other. */
const judgeAddress = (look: SignInContext['look']): Verdict | null =>
  look?.status === 'failed'
    ? needsYou(
        'address-fails',
        `The panel does not find Home Assistant at its address. ${adviceOf(look)}`,
        'An address of Home Assistant that answers.',
      )
    : null;

/** The verdict on the sign-in to Home Assistant. */
export function judgeSignIn({
  phase,
  reachable,
  failure,
  look,
  method,
  password,
}: Pick<SignInContext, 'phase' | 'reachable' | 'failure' | 'look' | 'method' | 'password'>): Verdict {
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
        judgeCertificate(
          failure,
          password === 'unreachable' ? 'Sconce tries again by itself.' : 'Then sign in again.',
        ) ??
        judgePassword(password) ??
        judgeAddress(look) ??
        needsYou(
          'sign-in-needed',
          'Sign in to Home Assistant with your phone or in this browser; the panel never sees your password.',
          'A sign-in.',
        )
      );
    case 'pending':
      return (
        judgeAddress(look) ??
        needsYou(
          'sign-in-pending',
          'Sign-in started. Finish it in Home Assistant, or start over.',
          'The end of the sign-in.',
        )
      );
    case 'refused':
      return needsYou(
        'sign-in-refused',
        method === 'long-lived'
          ? 'Home Assistant no longer accepts this panel’s access token. Sign in, or enter another token under Configure.'
          : 'Home Assistant no longer accepts this panel’s sign-in: it was revoked. Sign in again.',
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
          "This panel is signed in; Home Assistant isn't responding, and Sconce keeps trying.",
          'An answer of Home Assistant.',
        )
      );
  }
}
