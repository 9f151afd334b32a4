/** Why the platform gave nothing: `refused` by it for good, or not reached (a code for the log, never a message). */
export type Failure = { readonly ok: false; readonly reason: 'refused' | 'unreachable'; readonly code: string };

/** Tokens that the platform issued; `refreshToken` is null where a token was only renewed. */
export interface Grant {
  readonly ok: true;
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly expiresInSeconds: number;
}

/** Who is signed in, as the platform shows them. */
export interface SignedInUser {
  /** At most 200 characters. */
  readonly displayName: string;
  readonly administrator: boolean;
}

/** Why a watch ended. */
export type WatchEnd =
  /** The platform did not take the token. */
  | 'refused'
  /** There was no answer, or one of something else. */
  | 'unreachable'
  /** It had been let in, and the connection ended. */
  | 'closed';

/** What a watch is opened with. */
export interface WatchInput {
  readonly origin: string;
  readonly token: string;
  /** Whether the expiry of the idle credential is to be lifted where the platform allows it. */
  readonly liftExpiry: boolean;
  readonly onUser: (user: SignedInUser) => void;
  /** Called once, also after `close`. */
  readonly onEnd: (end: WatchEnd) => void;
}

/** The platform as the sign-in uses it; every call is bounded in time and size and follows no redirect. */
export interface PlatformPort {
  /** Exchanges a one-use code. */
  readonly exchange: (
    origin: string,
    form: { readonly code: string; readonly clientId: string; readonly verifier: string },
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
  /** Whether the platform takes an access token. */
  readonly check: (origin: string, token: string, signal: AbortSignal) => Promise<{ readonly ok: true } | Failure>;
  /**
   * Signs in at the platform's socket and keeps it open: it closes within milliseconds when the credential is revoked.
   */
  readonly watch: (input: WatchInput) => { readonly close: () => void };
  /** Secrets of a new attempt: state and PKCE verifier with its challenge (RFC 7636, S256). */
  readonly mint: () => { readonly state: string; readonly verifier: string; readonly challenge: string };
}
