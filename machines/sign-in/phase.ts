import type { SignInPhase } from './events.ts';

/** What the phase is decided from. */
export interface PhaseInput {
  readonly hasAddress: boolean;
  /** Null until the settings and the store were read. */
  readonly credential: 'none' | 'kept' | 'refused' | null;
  readonly attemptOpen: boolean;
}

/** The phase of the sign-in; an attempt of somebody who is signed in already changes nothing until it comes back. */
export function phaseOf({ hasAddress, credential, attemptOpen }: PhaseInput): SignInPhase {
  if (!hasAddress) return 'no-address';
  if (credential === 'kept') return 'signed-in';
  if (attemptOpen) return 'pending';
  return credential === 'refused' ? 'refused' : 'needed';
}
