import type { Credential } from './facts.ts';

/**
 * True if the page can sign in: a credential is in force and was not refused. In an agent without a sign-in the page
 * shows Home Assistant's own login.
 */
export const isSignedIn = (credential: Credential | null): boolean =>
  credential === null || credential.phase === 'signed-in';
