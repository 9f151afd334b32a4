import { type Assignment, isFor } from '../kit/recipient.ts';
import type { Credential, OauthCredential } from './events.ts';
import { homeAssistantRecipient } from './home-assistant-address.ts';

const VERSION = 1;

export const storedCredential = (credential: OauthCredential): string =>
  JSON.stringify({ version: VERSION, ...credential });

/** Reads a stored credential; null for what this version does not know. */
export function readCredential(text: string): OauthCredential | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  if (!('version' in value && value.version === VERSION)) return null;
  if (!('refreshToken' in value && typeof value.refreshToken === 'string' && value.refreshToken !== '')) return null;
  if (
    !(
      'clientId' in value &&
      typeof value.clientId === 'string' &&
      'origin' in value &&
      typeof value.origin === 'string'
    )
  )
    return null;
  return { refreshToken: value.refreshToken, clientId: value.clientId, origin: value.origin };
}

export interface StoredToken {
  readonly value: string;
  readonly assignment: Assignment | null;
}

/**
 * The credential in force: a token entered by hand takes precedence, since it is the owner's later word (signing in
 * removes it). Both count only at the Home Assistant that they are for.
 */
export function credentialInForce(
  origin: string | null,
  token: StoredToken | null,
  oauth: OauthCredential | null,
): Credential | null {
  if (origin === null) return null;
  if (token !== null && isFor(token.assignment, homeAssistantRecipient(origin)))
    return { method: 'long-lived', origin, token: token.value };
  return oauth !== null && oauth.origin === origin ? { method: 'oauth', origin, oauth } : null;
}

export function isSameCredential(one: Credential | null, other: Credential | null): boolean {
  if (one === null || other === null) return one === other;
  if (one.method === 'oauth')
    return (
      other.method === 'oauth' && one.oauth.refreshToken === other.oauth.refreshToken && one.origin === other.origin
    );
  return other.method === 'long-lived' && one.token === other.token && one.origin === other.origin;
}
