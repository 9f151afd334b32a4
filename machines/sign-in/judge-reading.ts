import type { SignInMethod } from './events.ts';

/** What the vault has when the settings and the store were read again; addresses and flags, no secret. */
export interface HeldSecrets {
  /** The address that was read last; undefined before the first reading. */
  readonly known: string | null | undefined;
  /** Of the credential in force; null without one. */
  readonly method: SignInMethod | null;
  /** The Home Assistant that the open attempt was begun at; null without one. */
  readonly attemptAt: string | null;
  /** The Home Assistant that the password is for; null without one. */
  readonly passwordFor: string | null;
}

/** What was read: the address, and whether the credential is still the one in force. */
export interface StoredReading {
  readonly origin: string | null;
  readonly isSame: boolean;
}

/** What a reading changes in what the vault holds. */
export interface ReadingVerdict {
  /** Whether anything is another one, and is reported. */
  readonly isChange: boolean;
  /** An attempt that was begun with the address which has just been saved goes on. */
  readonly dropsAttempt: boolean;
  readonly endsPassword: boolean;
  readonly replacesCredential: boolean;
  /** Whether the credential that is replaced is revoked at Home Assistant: a long-lived token is its owner's. */
  readonly revokes: boolean;
}

/** True if a password is for another Home Assistant than the one at this address; null is none yet. */
export const isPasswordStale = (passwordFor: string | null, origin: string | null): boolean =>
  passwordFor !== null && origin !== null && origin !== passwordFor;

/** What is done with the attempt, the password and the credential after a reading. */
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
