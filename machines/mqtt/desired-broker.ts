import type { DesiredBroker } from './events.ts';

/** The broker URL for a host that was found on the network: Home Assistant's broker listens on 1883 there. */
const urlOfHost = (host: string): string => `mqtt://${host.includes(':') ? `[${host}]` : host}:1883`;

/** What the broker to connect to is decided from. */
export interface BrokerParts {
  /** The `mqtt_broker` setting; empty means: find it. */
  readonly broker: string;
  readonly user: string;
  readonly passwordSet: boolean;
  /** Raised whenever the password was replaced. */
  readonly passwordRevision: number;
  readonly addressFamily: DesiredBroker['addressFamily'];
  readonly panelId: string;
  readonly installId: string;
  readonly found: {
    /** `off` where the network is left alone. */
    readonly outcome: 'none' | 'found' | 'ambiguous' | 'off';
    readonly host: string | null;
  };
}

const target = (parts: BrokerParts): Pick<DesiredBroker, 'url' | 'source'> => {
  if (parts.broker.trim() !== '') return { url: parts.broker.trim(), source: 'configured' };
  if (parts.found.outcome === 'found' && parts.found.host !== null)
    return { url: urlOfHost(parts.found.host), source: 'found' };
  return { url: null, source: parts.found.outcome === 'ambiguous' ? 'ambiguous' : 'none' };
};

/**
 * What the link shall connect to: the configured broker goes before a found one, and two found ones are never guessed
 * between.
 */
export const desiredBroker = (parts: BrokerParts): DesiredBroker => {
  const { url, source } = target(parts);
  const { user, passwordSet, addressFamily, panelId, installId } = parts;
  const searching = parts.found.outcome !== 'off';
  // Without a broker to connect to, why there is none is what the owner reads; with one, it changes nothing about the
  // connection.
  const key = JSON.stringify([
    url ?? (searching ? source : 'unsearched'),
    user,
    passwordSet,
    parts.passwordRevision,
    addressFamily,
    panelId,
    installId,
  ]);
  return { url, source, searching, user, passwordSet, addressFamily, panelId, installId, key };
};

/** Reads the `mqtt_address_family` setting. */
export const addressFamilyOf = (value: unknown): DesiredBroker['addressFamily'] =>
  value === 'Prefer IPv4' || value === 'Force IPv4' ? value : 'Automatic';
