import type { Grant } from '#drivers/sign-in/contract.ts';
import type { EpochMs } from '#machines/kit/units.ts';
import type { OauthCredential } from '#machines/sign-in/events.ts';

/** A user and password that were handed over, kept while they may be needed. */
export interface GivenLogin {
  readonly homeAssistant: string;
  readonly username: string;
  readonly password: string;
  readonly panelOrigin: string;
  /** Ends the protection of the password in the log. */
  readonly unprotect: () => void;
}

export interface JudgedStart {
  /** Origin to begin at; null where none is set or named. */
  readonly homeAssistant: string | null;
  /** The address as it is to be saved; null where it stays. */
  readonly haUrl: string | null;
  readonly panelOrigin: string;
  readonly onDevice: boolean;
  readonly startedAt: EpochMs;
}

/** A one-use code and what it is exchanged with. */
export interface Redeemable {
  readonly origin: string;
  readonly clientId: string;
  readonly code: string;
  readonly verifier: string | null;
  /** The password that it was given for; null where a person brought it. */
  readonly login: GivenLogin | null;
}

/** What a code was exchanged for. */
export interface Exchanged {
  readonly oauth: OauthCredential;
  readonly grant: Grant;
  readonly login: GivenLogin | null;
}

/** The secrets of a request, which stay until it is forgotten. */
export function secretOf<T>(secrets: ReadonlyMap<string, T>, requestId: string): T {
  const secret = secrets.get(requestId);
  if (secret === undefined) throw new Error('sign-in-request-unknown');
  return secret;
}
