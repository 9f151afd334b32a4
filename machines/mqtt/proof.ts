import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { ConfirmOutcome, ConfirmProof } from './events.ts';

/** Wrong passwords allowed within `TRIES_MS`, against guessing. */
export const MOST_TRIES = 5;
/** How long wrong passwords count, from the first one. */
export const TRIES_MS: Milliseconds = 60_000;

/** Recent wrong passwords. */
export interface Tries {
  readonly since: EpochMs;
  readonly count: number;
}

export const noTries: Tries = { since: 0, count: 0 };

type Refusal = Extract<ConfirmOutcome, { readonly status: 'unproven' }>['why'];

/** A proof, and the result of comparing its password with the stored one. */
interface Proof extends ConfirmProof {
  readonly isRight: boolean;
}

/**
 * Judges whether a confirmation comes from the owner: from the panel itself, or with the stored password. After five
 * wrong passwords from the network, none is compared for a minute, no matter who sends it.
 */
export function judgeProof(
  tries: Tries,
  { from, password, isRight }: Proof,
  now: EpochMs,
): { readonly tries: Tries; readonly refusal: Refusal | null } {
  if (from === 'panel') return { tries, refusal: password === null || isRight ? null : 'wrong' };
  if (password === null) return { tries, refusal: 'missing' };
  const age = now - tries.since;
  const counted = age >= 0 && age < TRIES_MS ? tries : { since: now, count: 0 };
  if (counted.count >= MOST_TRIES) return { tries: counted, refusal: 'late' };
  if (isRight) return { tries: noTries, refusal: null };
  return { tries: { ...counted, count: counted.count + 1 }, refusal: 'wrong' };
}
