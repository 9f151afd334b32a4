import type { ConnectionEnd, Credential, PasswordEnd } from '#machines/sign-in/events.ts';

/** Why there is no grant: refused by Home Assistant for good, or unreachable (a code for the log, never a message). */
export type Failure = { readonly ok: false; readonly reason: 'refused' | 'unreachable'; readonly code: string };

/** Tokens that Home Assistant issued; `refreshToken` is null after a renewal. */
export interface Grant {
  readonly ok: true;
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly expiresInSeconds: number;
}

/** Who is signed in, as Home Assistant shows them. */
export interface SignedInUser {
  /** At most 200 characters. */
  readonly displayName: string;
  readonly administrator: boolean;
}

export interface ConnectionInput {
  readonly origin: string;
  readonly token: string;
  /** True to lift the expiry of the idle credential where Home Assistant allows it. */
  readonly liftExpiry: boolean;
  readonly onUser: (user: SignedInUser) => void;
  /** Called once, also after `close`; `code` is why Home Assistant was not reached, null for any other end. */
  readonly onEnd: (end: ConnectionEnd, code: string | null) => void;
}

/** A user and password, and where Home Assistant would send a browser back. */
export interface Login {
  readonly username: string;
  readonly password: string;
  readonly clientId: string;
  readonly redirectUri: string;
}

/** A one-use code for a user and password, or why there is none; a password that got no answer may be sent again. */
export type LoginAnswer =
  | { readonly ok: true; readonly code: string }
  | {
      readonly ok: false;
      readonly reason: Extract<PasswordEnd, 'password-refused' | 'password-second-factor' | 'password-rejected'>;
    }
  | {
      readonly ok: false;
      readonly reason: 'unreachable';
      /** True if Home Assistant may have received the password. */
      readonly sent: boolean;
      /** Why it was not reached, for the log, never a message. */
      readonly code: string;
    };

/** Home Assistant as the sign-in uses it; every call is bounded in time and size and follows no redirect. */
export interface HomeAssistantPort {
  /** Signs in as a page of Home Assistant itself does; the password is sent once at most. */
  readonly logIn: (origin: string, login: Login, signal: AbortSignal) => Promise<LoginAnswer>;
  /** Exchanges a one-use code; `verifier` is null where it was given without a challenge. */
  readonly exchange: (
    origin: string,
    form: { readonly code: string; readonly clientId: string; readonly verifier: string | null },
    signal: AbortSignal,
  ) => Promise<Grant | Failure>;
  /** A new access token for a refresh token. */
  readonly refresh: (
    origin: string,
    form: { readonly refreshToken: string; readonly clientId: string },
    signal: AbortSignal,
  ) => Promise<Grant | Failure>;
  /** Ends a refresh token, best effort. */
  readonly revoke: (origin: string, refreshToken: string) => Promise<void>;
  /** Checks that Home Assistant accepts an access token. */
  readonly check: (origin: string, token: string, signal: AbortSignal) => Promise<{ readonly ok: true } | Failure>;
  /** Signs in at the socket of Home Assistant, reads who that is, and closes (`done`). */
  readonly connect: (input: ConnectionInput) => { readonly close: () => void };
  /** Secrets of a new attempt: state and PKCE verifier with its challenge (RFC 7636, S256). */
  readonly generate: () => { readonly state: string; readonly verifier: string; readonly challenge: string };
}

/** The credential in force, as the driver of the access tokens reads it. */
export interface HeldCredential {
  readonly credential: Credential;
  /** The access token that was issued with the credential; null without one. */
  readonly first: Grant | null;
}
