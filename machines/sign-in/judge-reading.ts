import type { SignInMethod } from './events.ts';

/** What the vault holds at the time of a reading: addresses and flags, no secret. */
export interface HeldSecrets {
  /** The address of the last reading; undefined before the first. */
  readonly known: string | null | undefined;
  /** Of the credential in force; null without one. */
  readonly method: SignInMethod | null;
  /** The Home Assistant of the open attempt; null without one. */
  readonly attemptAt: string | null;
  /** The Home Assistant that the password is for; null without one. */
  readonly passwordFor: string | null;
}

/** What was read: the address, and if the credential is still the one in force. */
export interface StoredReading {
  readonly origin: string | null;
  readonly isSame: boolean;
}

export interface ReadingVerdict {
  /** True if the address or the credential has changed, which is reported. */
  readonly isChange: boolean;
  /** False for an attempt at the address that was just saved. */
  readonly dropsAttempt: boolean;
  readonly endsPassword: boolean;
  readonly replacesCredential: boolean;
  /** True if the replaced credential is revoked at Home Assistant; a long-lived token belongs to its owner. */
  readonly revokes: boolean;
}

/** True if a password is for another Home Assistant than this address; null is no address yet. */
export const isPasswordStale = (passwordFor: string | null, origin: string | null): boolean =>
  passwordFor !== null && origin !== null && origin !== passwordFor;

/** What a reading changes of the attempt, the password and the credential. */
export function judgeReading(held: HeldSecrets, { origin, isSame }: StoredReading): ReadingVerdict {
  const isChange = held.known !== origin || !isSame;
  return {
    isChange,
    dropsAttempt: isChange && held.attemptAt !== null && held.attemptAt !== origin,
    endsPassword: isChange && isPasswordStale(held.passwordFor, origin),
    replacesCredential: !isSame,
    revokes: !isSame && held.method === 'oauth',
  };
}
