import type { BrokerWish } from './events.ts';

/** The broker URL for a host that was found on the network: the platform's broker listens on 1883 there. */
const urlOfHost = (host: string): string => `mqtt://${host.includes(':') ? `[${host}]` : host}:1883`;

/** What the wish is made of. */
export interface WishParts {
  /** The `mqtt_broker` setting; empty means: find it. */
  readonly broker: string;
  readonly user: string;
  readonly passwordSet: boolean;
  /** Raised whenever the password was replaced. */
  readonly passwordRevision: number;
  readonly addressFamily: BrokerWish['addressFamily'];
  readonly panelId: string;
  readonly installId: string;
  readonly found: { readonly outcome: 'none' | 'found' | 'ambiguous'; readonly host: string | null };
}

const target = (parts: WishParts): Pick<BrokerWish, 'url' | 'source'> => {
  if (parts.broker.trim() !== '') return { url: parts.broker.trim(), source: 'configured' };
  if (parts.found.outcome === 'found' && parts.found.host !== null)
    return { url: urlOfHost(parts.found.host), source: 'found' };
  return { url: null, source: parts.found.outcome === 'ambiguous' ? 'ambiguous' : 'none' };
};

/**
 * What the link shall connect to: the configured broker goes before a found one, and two found ones are never guessed
 * between.
 */
export const wishOf = (parts: WishParts): BrokerWish => {
  const { url, source } = target(parts);
  const { user, passwordSet, addressFamily, panelId, installId } = parts;
  // Without a broker to connect to, why there is none is what the owner reads; with one, it changes nothing about the
  // connection.
  const key = JSON.stringify([
    url ?? source,
    user,
    passwordSet,
    parts.passwordRevision,
    addressFamily,
    panelId,
    installId,
  ]);
  return { url, source, user, passwordSet, addressFamily, panelId, installId, key };
};

/** Reads the `mqtt_address_family` setting. */
export const addressFamilyOf = (value: unknown): BrokerWish['addressFamily'] =>
  value === 'Prefer IPv4' || value === 'Force IPv4' ? value : 'Automatic';
