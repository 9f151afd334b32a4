import { credentialInForce, readCredential as readSignIn } from '#machines/sign-in/credential.ts';
import type { Credential, OauthCredential } from '#machines/sign-in/events.ts';
import type { MergeOutcome } from '#machines/settings/events.ts';
import { SAVE_MS } from '#machines/settings/hold.ts';

import type { Registry } from '../kit/registry.ts';
import { readCredential, readSecret } from '../settings.ts';

/** The result of a save of settings and credentials. */
type Saved = Extract<MergeOutcome, { status: 'refused' | 'commit-failed' | 'busy' }> | { readonly status: 'kept' };

/** What is stored of the sign-in, and what is in force by it. */
interface StoredSignIn {
  /** Revision of the settings at the time of the reading. */
  readonly revision: number;
  /** Origin of Home Assistant; null where none is set. */
  readonly origin: string | null;
  readonly inForce: Credential | null;
  /** A sign-in that is no longer needed, since a token entered by hand replaces it; null where there is none. */
  readonly replaced: OauthCredential | null;
}

/** The settings and the store as the sign-in uses them. */
export interface SignInStore {
  /** The address in force; undefined while the settings restart, which is not the same as having none. */
  readonly address: () => string | null | undefined;
  /** Null while the store or the settings do not answer. */
  readonly read: () => Promise<StoredSignIn | null>;
  /**
   * Saves a patch; with `expect` as the agent's own change, and only while these settings have these values; with
   * `token` as part of the job that holds the settings.
   */
  readonly save: (
    patch: Readonly<Record<string, string | null>>,
    expect: Readonly<Record<string, string>> | null,
    token?: string,
  ) => Promise<Saved>;
}

/** The settings and the store, found by the registry. */
export function signInStore(registry: Pick<Registry, 'ask' | 'read'>): SignInStore {
  const address: SignInStore['address'] = () => {
    const settings = registry.read('settings')?.context;
    if (settings === undefined || settings.revision === 0) return undefined;
    const url = settings.values['ha_url'];
    return typeof url === 'string' && url !== '' ? url : null;
  };
  return {
    address,
    read: async () => {
      try {
        const revision = registry.read('settings')?.context.revision ?? 0;
        const [token, oauthText] = await Promise.all([
          readCredential(registry, 'ha_token'),
          readSecret(registry, 'ha_oauth'),
        ]);
        const oauth = oauthText === null ? null : readSignIn(oauthText);
        const origin = address();
        // Taken for no address, it would revoke the credential.
        if (origin === undefined) return null;
        const inForce = credentialInForce(origin, token, oauth);
        return {
          revision,
          origin,
          inForce,
          // A token for another Home Assistant replaces nothing.
          replaced: inForce?.method === 'long-lived' ? oauth : null,
        };
      } catch {
        return null;
      }
    },
    save: async (patch, expect, token) => {
      const own = expect !== null && { own: { expect } };
      const job = token !== undefined && { token };
      const asked = await registry.ask('settings', { type: 'settings.merge', patch, ...own, ...job }, SAVE_MS);
      if (!asked.ok) return { status: 'commit-failed', reason: asked.reason };
      const outcome = asked.value;
      if (outcome.status === 'saved' || outcome.status === 'no-op') return { status: 'kept' };
      return outcome.status === 'stale' ? { status: 'busy' } : outcome;
    },
  };
}
