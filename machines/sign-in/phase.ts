import type { SignInPhase } from './events.ts';

export interface PhaseInput {
  readonly hasAddress: boolean;
  /** Null until the settings and the store were read. */
  readonly credential: 'none' | 'kept' | 'refused' | null;
  readonly attemptOpen: boolean;
}

/** The phase of the sign-in. While the panel is signed in, an attempt changes nothing until it comes back. */
export function phaseOf({ hasAddress, credential, attemptOpen }: PhaseInput): SignInPhase {
  if (!hasAddress) return 'no-address';
  if (credential === 'kept') return 'signed-in';
  if (attemptOpen) return 'pending';
  return credential === 'refused' ? 'refused' : 'needed';
}
