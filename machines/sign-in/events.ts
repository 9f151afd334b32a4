import type { EpochMs, Milliseconds } from '../kit/units.ts';

/** Where the sign-in to the platform stands. */
export type SignInPhase =
  /** No platform address is set. */
  | 'no-address'
  /** An address is set and no credential is. */
  | 'needed'
  /** A person was given a link and has not come back yet. */
  | 'pending'
  /** A credential is kept and was not refused; the platform may be away. */
  | 'signed-in'
  /** The platform refused the credential: revoked or expired. A person has to sign in again. */
  | 'refused';

/** How the panel is signed in. */
export type SignInMethod = 'oauth' | 'long-lived';

/** What became of an attempt that came back, each with a page of its own (behaviour-facts 3). */
export const callbackOutcomes = [
  'signed-in',
  'cancelled',
  // Unknown, used, malformed or superseded state.
  'invalid',
  'expired',
  'wrong-origin',
  'invalid-code',
  // The platform refused the code.
  'rejected',
  // The platform could not be reached for the exchange.
  'unreachable',
  // The platform's address changed meanwhile.
  'stale',
  'commit-failed',
] as const;

/** One of them. */
export type CallbackOutcome = (typeof callbackOutcomes)[number];

/** Answer to `sign-in.start`. */
export type StartOutcome =
  | { readonly status: 'started'; readonly authorizationUrl: string; readonly expiresAt: EpochMs }
  | { readonly status: 'refused'; readonly code: StartRefusal; readonly message: string };

/** Why no attempt was begun; said before the person types a password in vain. */
export type StartRefusal =
  | 'no-address'
  | 'bad-address'
  /** The panel was opened at an address that no sign-in can return to. */
  | 'bad-origin'
  /** Home Assistant refuses to send anybody back to this address. */
  | 'origin-refused-by-platform'
  /** The address of Home Assistant is one that only the panel itself can open. */
  | 'address-loops-back'
  | 'commit-failed';

/**
 * Answer to `sign-in.token`: what the page of the platform is signed in with. It travels in replies only, never in a
 * context.
 */
export type TokenOutcome =
  | { readonly ok: true; readonly token: string; readonly expiresInSeconds: number; readonly origin: string }
  /** `refused`: a person must sign in again. `unreachable`: try again later. */
  | { readonly ok: false; readonly reason: 'none' | 'refused' | 'unreachable' };

/** What may be asked of the sign-in actor (registry id `sign-in`); each ask is answered by one `reply`. */
export type SignInEvent =
  /**
   * Begins an attempt; the newest one alone is valid, for ten minutes. `haUrl` is saved first where it differs. Answer:
   * `StartOutcome`.
   */
  | {
      readonly type: 'sign-in.start';
      readonly requestId: string;
      readonly panelOrigin: string;
      readonly haUrl: string | null;
      readonly now: EpochMs;
    }
  /** The person came back. Answer: `{ outcome: CallbackOutcome }`. */
  | {
      readonly type: 'sign-in.callback';
      readonly requestId: string;
      readonly state: string;
      readonly code: string | null;
      readonly error: string | null;
      readonly panelOrigin: string;
      readonly now: EpochMs;
    }
  /**
   * An access token for the platform's page; `force` never answers from the cache, since that token was just refused.
   * Answer: `TokenOutcome`.
   */
  | { readonly type: 'sign-in.token'; readonly requestId: string; readonly force: boolean }
  /** Revokes and forgets the credential. Answer: `{ status: 'signed-out' | 'commit-failed' }`. */
  | { readonly type: 'sign-in.sign-out'; readonly requestId: string }
  | { readonly type: 'sign-in.stop' };

/** What the machine passes on to the keeper, which alone sees tokens; each is answered by one `keeper.answered`. */
export type KeeperCommand = Exclude<SignInEvent, { readonly type: 'sign-in.stop' }>;

/** What the keeper reports. */
export type KeeperFact =
  /** The address or the credential in force is another one; `method` is null while there is none. */
  | {
      readonly type: 'credential.changed';
      readonly hasAddress: boolean;
      readonly method: SignInMethod | null;
      readonly at: EpochMs;
    }
  | { readonly type: 'credential.refused'; readonly at: EpochMs }
  | { readonly type: 'user.read'; readonly displayName: string; readonly administrator: boolean; readonly at: EpochMs }
  | { readonly type: 'platform.reached'; readonly at: EpochMs }
  | { readonly type: 'platform.lost'; readonly at: EpochMs }
  | { readonly type: 'attempt.opened'; readonly until: EpochMs }
  /** An attempt came back, or was dropped without an outcome. */
  | { readonly type: 'attempt.closed'; readonly outcome: CallbackOutcome | null; readonly at: EpochMs }
  | { readonly type: 'keeper.answered'; readonly requestId: string; readonly outcome: SignInAnswer };

/** The answer to any of the requests. */
export type SignInAnswer = SignInActor['asks'][keyof SignInActor['asks']];

/** Public facts of the sign-in: no token, no address. */
export interface SignInContext {
  readonly phase: SignInPhase;
  readonly method: SignInMethod | null;
  /** Name of the signed-in user as the platform shows it; kept out of status, logs and diagnostics. */
  readonly displayName: string | null;
  readonly administrator: boolean | null;
  /** Whether the platform answered the last request; null before the first. */
  readonly reachable: boolean | null;
  /** When the open attempt ends; null while there is none. */
  readonly attemptUntil: EpochMs | null;
  readonly lastOutcome: CallbackOutcome | null;
  /** Raised by one whenever another credential is in force, so that the renderer signs its page in anew. */
  readonly revision: number;
  readonly at: EpochMs | null;
}

/** How long an attempt is valid (contract, "Limits"). */
export const ATTEMPT_MS: Milliseconds = 600_000;

/** What became of signing out. */
export interface SignOutOutcome {
  readonly status: 'signed-out' | 'commit-failed';
}

/** What the actor of the sign-in to Home Assistant shows to the rest of the house. */
export interface SignInActor {
  readonly id: 'sign-in';
  readonly context: SignInContext;
  readonly event: SignInEvent;
  readonly asks: {
    readonly 'sign-in.start': StartOutcome;
    readonly 'sign-in.callback': { readonly outcome: CallbackOutcome };
    readonly 'sign-in.token': TokenOutcome;
    readonly 'sign-in.sign-out': SignOutOutcome;
  };
}
