import { certificateFaults } from '../kit/certificate.ts';
import type { HomeOutcome } from '../kit/home-advice.ts';
import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { PasswordEnd, PasswordState } from './password.ts';
import type { StepCommand, StepResult } from './requests/steps.ts';

export type { PasswordEnd, PasswordState } from './password.ts';

/** Phase of the sign-in to Home Assistant. */
export type SignInPhase =
  /** No address of Home Assistant is set. */
  | 'no-address'
  /** An address is set, a credential is not. */
  | 'needed'
  /** A person has a link and has not come back yet. */
  | 'pending'
  /** A credential is stored and was not refused; Home Assistant may be unreachable. */
  | 'signed-in'
  /** Home Assistant refused the credential: revoked or expired. A person has to sign in again. */
  | 'refused';

export type SignInMethod = 'oauth' | 'long-lived';

/** How an attempt ends that came back, each with its own page (as panel-assistant). */
export const callbackOutcomes = [
  'signed-in',
  'cancelled',
  // The state is unknown, used, malformed or superseded.
  'invalid',
  'expired',
  'wrong-origin',
  'invalid-code',
  // Home Assistant refused the code.
  'rejected',
  // Home Assistant could not be reached for the exchange.
  'unreachable',
  // The panel does not trust the certificate of Home Assistant.
  ...certificateFaults,
  // The address of Home Assistant changed meanwhile.
  'stale',
  'commit-failed',
] as const;

export type CallbackOutcome = (typeof callbackOutcomes)[number];

/** Answer to `sign-in.start`. */
export type StartOutcome =
  | { readonly status: 'started'; readonly authorizationUrl: string; readonly expiresAt: EpochMs }
  | { readonly status: 'refused'; readonly code: StartRefusal; readonly message: string };

/** Why no attempt was begun; shown before the person types a password in vain. */
export type StartRefusal =
  | 'no-address'
  /** Not an address, or the panel finds no Home Assistant there. */
  | 'bad-address'
  /** The panel was opened by an address that no sign-in can return to. */
  | 'bad-origin'
  /** Home Assistant refuses to send a browser back to this address. */
  | 'origin-refused-by-platform'
  /** Only the panel itself can open the address of Home Assistant. */
  | 'address-loops-back'
  /** A newer start replaced it while the panel looked at the address. */
  | 'probe-replaced'
  | 'commit-failed'
  /** A job holds the settings. */
  | 'operation-busy';

/**
 * Answer to `sign-in.token`: what the page of Home Assistant is signed in with. It travels in replies only, never in a
 * context.
 */
export type TokenOutcome =
  | { readonly ok: true; readonly token: string; readonly expiresInSeconds: number; readonly origin: string }
  /** `refused`: a person must sign in again. `unreachable`: try again later. */
  | { readonly ok: false; readonly reason: 'none' | 'refused' | 'unreachable' };

/**
 * What may be asked of the sign-in actor (registry id `sign-in`); each ask is answered by one `reply`, which is each
 * event with a `requestId`.
 */
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
      /** True if the login opens in the panel's own browser. */
      readonly onDevice: boolean;
      readonly now: EpochMs;
    }
  /** The panel's own browser left the login: an attempt that was begun there is over, any other goes on. */
  | { readonly type: 'sign-in.leave' }
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
   * An access token for the page of Home Assistant; `force` never answers from the cache, since that token was just
   * refused. Answer: `TokenOutcome`.
   */
  | { readonly type: 'sign-in.token'; readonly requestId: string; readonly force: boolean }
  /**
   * Signs in as this user once the address of Home Assistant is known, only if it has this origin and the panel is not
   * signed in; the newest replaces the one before. `panelOrigin` is the address under which Home Assistant lists the
   * panel. There is no answer: the fact `password` has the result.
   */
  | {
      readonly type: 'sign-in.by-password';
      readonly homeAssistant: string;
      readonly username: string;
      readonly password: string;
      readonly panelOrigin: string;
    }
  /** Revokes and forgets the credential. `token`: that of the job that holds the settings, if it is part of one. */
  | { readonly type: 'sign-in.sign-out'; readonly requestId: string; readonly token?: string };

/** The result of an OAuth sign-in: enough to get access tokens until it is revoked. It never enters a context. */
export interface OauthCredential {
  readonly refreshToken: string;
  /** The client that it was issued to; Home Assistant accepts it from no other (seen with Home Assistant 2026.11). */
  readonly clientId: string;
  /** Origin of the Home Assistant that issued it. */
  readonly origin: string;
}

/**
 * What the panel signs in with. It never enters a context or an event: drivers hold it, and the machine commands them.
 */
export type Credential =
  | { readonly method: 'oauth'; readonly origin: string; readonly oauth: OauthCredential }
  | { readonly method: 'long-lived'; readonly origin: string; readonly token: string };

/**
 * The commands of the vault, which alone keeps what is stored, the secrets of attempts and a password that was handed
 * over. It takes single steps; what follows a step is decided by the machines.
 */
export type VaultCommand =
  /** Judge a start or a callback, and keep its secrets until `request.forget`. Answered by `step.finished`. */
  | Extract<SignInEvent, { readonly type: 'sign-in.start' | 'sign-in.callback' }>
  /** Note the token of the job that a sign-out is part of, until `request.forget`. */
  | Extract<SignInEvent, { readonly type: 'sign-in.sign-out' }>
  /** Keep the password and read what is stored. Answered by `password.held` or `password.ended`. */
  | Extract<SignInEvent, { readonly type: 'sign-in.by-password' }>
  /** Forget the open attempt if it was begun in the panel's own browser. Answered by `attempt.closed`. */
  | Extract<SignInEvent, { readonly type: 'sign-in.leave' }>
  /** Read what is stored and take up what is in force now. */
  | { readonly type: 'vault.read' }
  | StepCommand
  /** Forget the secrets of a request that is over. */
  | { readonly type: 'request.forget'; readonly requestId: string }
  /** Forget the open attempt, if any. Answered by `attempt.closed`. */
  | { readonly type: 'attempt.drop' }
  | { readonly type: 'password.forget' };

/** An answer to an ask; a token in it goes to the caller and nowhere else. */
export interface AnsweredFact {
  readonly type: 'sign-in.answered';
  readonly requestId: string;
  readonly outcome: SignInAnswer;
}

export type VaultFact =
  /** The address or the credential in force has changed; `method` is null without a credential. */
  | {
      readonly type: 'credential.changed';
      readonly hasAddress: boolean;
      readonly method: SignInMethod | null;
      readonly at: EpochMs;
    }
  /** This revision of the settings was taken up, even if nothing has changed. */
  | { readonly type: 'settings.taken'; readonly revision: number }
  /** The store or the settings did not answer: what is in force is unknown until it is read again. */
  | { readonly type: 'vault.unread' }
  | { readonly type: 'attempt.opened'; readonly until: EpochMs }
  /** The open attempt came back, and is used up. */
  | { readonly type: 'attempt.returned' }
  /** An attempt is over; `outcome` is null where it was dropped without one. */
  | { readonly type: 'attempt.closed'; readonly outcome: CallbackOutcome | null; readonly at: EpochMs }
  /** A password was handed over, and what is stored was read since; `isStale`: it is for another address. */
  | { readonly type: 'password.held'; readonly isStale: boolean }
  /** Home Assistant was not reached; `sent` is true if it may have received the password. */
  | { readonly type: 'password.unreachable'; readonly sent: boolean; readonly code: string; readonly at: EpochMs }
  /** The password is forgotten. */
  | { readonly type: 'password.ended'; readonly outcome: PasswordEnd | 'signed-in'; readonly at: EpochMs }
  /** A step of a request is over. */
  | { readonly type: 'step.finished'; readonly requestId: string; readonly result: StepResult };

/** Commands of the driver of the access tokens, which runs as long as one credential is in force, and holds it. */
export type TokensCommand =
  /** Answered by `token.asked` at once. */
  | { readonly type: 'token.ask'; readonly requestId: string; readonly force: boolean }
  /** Answer these requests with the token at hand. */
  | { readonly type: 'token.give'; readonly requestIds: readonly string[] }
  /** Answered by one of `token.ready`, `token.unreachable` and `token.refused`. */
  | { readonly type: 'token.renew' }
  /** Forget the access token and close the connection. */
  | { readonly type: 'token.drop' }
  /** Answered by `connection.asked` at once. */
  | { readonly type: 'connection.ask' }
  /** Read who is signed in over a connection with the token at hand; `connection.ended` follows. */
  | { readonly type: 'connection.open' };

/** Why a connection ended. */
export type ConnectionEnd =
  /** Everything was read. */
  | 'done'
  /** Home Assistant did not accept the token. */
  | 'refused'
  /** There was no answer, or not one of Home Assistant. */
  | 'unreachable'
  /** It was let in, and ended before everything was read. */
  | 'closed';

/**
 * Facts of the driver of the access tokens. `leftMs` is how long its token is still valid, null without one.
 */
export type TokensFact =
  | {
      readonly type: 'token.asked';
      readonly requestId: string;
      readonly force: boolean;
      readonly leftMs: Milliseconds | null;
    }
  /** There is a new token, or the long-lived one was accepted. */
  | { readonly type: 'token.ready'; readonly leftMs: Milliseconds; readonly at: EpochMs }
  | {
      readonly type: 'token.unreachable';
      readonly leftMs: Milliseconds | null;
      /** Why: the system's code, or Node's. */
      readonly code: string;
      readonly at: EpochMs;
    }
  /** Home Assistant no longer accepts the credential. */
  | { readonly type: 'token.refused'; readonly at: EpochMs }
  | { readonly type: 'connection.asked'; readonly leftMs: Milliseconds | null }
  /** The connection was let in; this user is signed in. */
  | { readonly type: 'user.read'; readonly displayName: string; readonly administrator: boolean; readonly at: EpochMs }
  | {
      readonly type: 'connection.ended';
      readonly end: ConnectionEnd;
      /** Why it was not reached: the system's code, or Node's; null where it ended otherwise. */
      readonly code: string | null;
      readonly at: EpochMs;
    }
  | AnsweredFact;

/** The settings have changed: what is stored has to be read again. */
export interface SettingsFact {
  readonly type: 'settings.changed';
}

/** A connection of another part was refused or ended: the credential may be revoked. */
export interface DoubtFact {
  readonly type: 'credential.doubted';
}

/** The result of one look at the address of Home Assistant, without a credential. */
export interface LookFact {
  readonly type: 'address.looked';
  readonly outcome: HomeOutcome;
  readonly at: EpochMs;
}

export type SignInAnswer = SignInActor['asks'][keyof SignInActor['asks']];

/** Public facts of the sign-in: no token, no address. */
export interface SignInContext {
  readonly phase: SignInPhase;
  readonly method: SignInMethod | null;
  /** Name of the signed-in user as Home Assistant shows it; kept out of status, logs and diagnostics. */
  readonly displayName: string | null;
  readonly administrator: boolean | null;
  /** True if Home Assistant answered the last request; null before the first. */
  readonly reachable: boolean | null;
  /**
   * Stable code of why it was not reached the last time, such as `ECONNREFUSED` or `certificate-untrusted`; null while
   * it is.
   */
  readonly failure: string | null;
  /** The result of the last look at the address; null before it, and while there is a credential. */
  readonly look: HomeOutcome | null;
  /** When the open attempt ends; null while there is none. */
  readonly attemptUntil: EpochMs | null;
  readonly lastOutcome: CallbackOutcome | null;
  readonly password: PasswordState;
  /** Raised by one with each other credential, so that the renderer signs its page in again. */
  readonly revision: number;
  /** Revision of the settings that these facts are of; 0 before the first. */
  readonly settingsRevision: number;
  readonly at: EpochMs | null;
}

/** How long an attempt is valid (contract, "Limits"). */
export const ATTEMPT_MS: Milliseconds = 600_000;

interface SignOutOutcome {
  readonly status: 'signed-out' | 'commit-failed' | 'busy';
}

/** The public interface of the actor of the sign-in. */
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
