import type { Milliseconds } from '../kit/units.ts';
import type { CertificateFault } from '../kit/certificate.ts';
import type { CallbackOutcome } from './events.ts';

/** The attempt that is open. Its state is a secret of the vault. */
export interface Attempt {
  /** What the callback must bring: 32 random bytes, base64url. */
  readonly state: string;
  /** The panel's address at which it was begun. */
  readonly panelOrigin: string;
  /** Origin of the Home Assistant that it was begun at. */
  readonly homeAssistant: string;
  /** End of its validity on a clock that nobody sets, in milliseconds. */
  readonly until: Milliseconds;
}

/** What somebody who came back brought. */
export interface Callback {
  readonly state: string;
  readonly code: string | null;
  readonly error: string | null;
  readonly panelOrigin: string;
}

/** States and codes as Home Assistant writes them (as panel-assistant). */
const STATE = /^[A-Za-z0-9_-]{43,86}$/;
const CODE = /^[\x21-\x7e]{1,4096}$/;

/** Whether this callback belongs to the attempt. */
export const belongsTo = (attempt: Attempt | null, callback: Callback): attempt is Attempt =>
  attempt !== null && STATE.test(callback.state) && callback.state === attempt.state;

/** What becomes of a callback before its code is tried, or `exchange` where it is to be. */
export type CallbackVerdict =
  | Exclude<CallbackOutcome, 'signed-in' | 'rejected' | 'unreachable' | 'commit-failed' | CertificateFault>
  | 'exchange';

/**
 * What becomes of a callback: an outcome, or `exchange` where its code is to be tried. `homeAssistant` is the origin
 * set now.
 */
export function judgeCallback(
  attempt: Attempt | null,
  callback: Callback,
  homeAssistant: string | null,
  now: Milliseconds,
): CallbackVerdict {
  if (!belongsTo(attempt, callback)) return 'invalid';
  if (now >= attempt.until) return 'expired';
  if (callback.panelOrigin !== attempt.panelOrigin) return 'wrong-origin';
  if (homeAssistant !== attempt.homeAssistant) return 'stale';
  if (callback.error !== null) return 'cancelled';
  return callback.code !== null && CODE.test(callback.code) ? 'exchange' : 'invalid-code';
}

type KeepingVerdict = Extract<CallbackVerdict, 'invalid' | 'wrong-origin' | 'invalid-code'>;

const KEEPING: Readonly<Record<KeepingVerdict, true>> = { invalid: true, 'wrong-origin': true, 'invalid-code': true };

/** True if a callback does not use its attempt up: the right one may still come. */
export const keepsAttempt = (verdict: CallbackVerdict): verdict is KeepingVerdict => Object.hasOwn(KEEPING, verdict);
