import type { Milliseconds } from '../kit/units.ts';
import type { CertificateFault } from '../kit/certificate.ts';
import type { CallbackOutcome } from './events.ts';

/** The open attempt. Its state is a secret of the vault. */
export interface Attempt {
  /** What the callback must carry: 32 random bytes, base64url. */
  readonly state: string;
  /** The panel's address at which it was begun. */
  readonly panelOrigin: string;
  /** Origin of the Home Assistant that it was begun at. */
  readonly homeAssistant: string;
  /** True if its login is in the panel's own browser. */
  readonly onDevice: boolean;
  /** End of its validity on a monotonic clock. */
  readonly until: Milliseconds;
}

/** The parameters with which a person came back. */
export interface Callback {
  readonly state: string;
  readonly code: string | null;
  readonly error: string | null;
  readonly panelOrigin: string;
}

/** The forms of states and codes that are accepted (as panel-assistant). */
const STATE = /^[A-Za-z0-9_-]{43,86}$/;
const CODE = /^[\x21-\x7e]{1,4096}$/;

/** True if the callback carries the state of the attempt. */
export const belongsTo = (attempt: Attempt | null, callback: Callback): attempt is Attempt =>
  attempt !== null && STATE.test(callback.state) && callback.state === attempt.state;

/** The outcome of a callback before its code is tried, or `exchange` if it is to be tried. */
export type CallbackVerdict =
  | Exclude<CallbackOutcome, 'signed-in' | 'rejected' | 'unreachable' | 'commit-failed' | CertificateFault>
  | 'exchange';

/**
 * The outcome of a callback, or `exchange` if its code is to be tried. `homeAssistant` is the origin set now.
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

/** True if a callback does not use up its attempt: the right one may still come. */
export const keepsAttempt = (verdict: CallbackVerdict): verdict is KeepingVerdict => Object.hasOwn(KEEPING, verdict);
