import type { DesiredBroker, FoundBroker } from './events.ts';

/** Port on which the broker of a found Home Assistant listens. */
const MQTT_PORT = 1883;

const urlOf = ({ address, port }: Pick<FoundBroker, 'address' | 'port'>): string =>
  `mqtt://${address.includes(':') ? `[${address}]` : address}:${port}`;

/** Address of the broker that is expected beside a found Home Assistant, as the setting takes it. */
export const brokerBeside = (address: string): string => urlOf({ address, port: MQTT_PORT });

/** What the broker to connect to is decided from. */
export interface BrokerParts {
  /** Revision of the settings. */
  readonly revision: number;
  /** The `mqtt_broker` setting; empty means: find it. */
  readonly broker: string;
  readonly user: string;
  readonly passwordSet: boolean;
  /** The mark of the password that was looked at last; null where none was, or none is set. */
  readonly passwordMark: string | null;
  /** Raised whenever the password was replaced. */
  readonly passwordRevision: number;
  readonly addressFamily: DesiredBroker['addressFamily'];
  readonly panelId: string;
  readonly installId: string;
  readonly found: {
    /** `off` where the network is left alone. */
    readonly outcome: 'none' | 'found' | 'ambiguous' | 'off';
    /** Address of the one Home Assistant that was found. */
    readonly host: string | null;
    /** Host name that this address was advertised for. */
    readonly name: string | null;
  };
}

/** Where a broker is, and how it is known. */
export type Target = Pick<DesiredBroker, 'url' | 'source' | 'found'>;

function targetOf({ broker, found: { outcome, host, name } }: BrokerParts): Target {
  if (broker.trim() !== '') return { url: broker.trim(), source: 'configured', found: null };
  if (outcome === 'found' && host !== null && name !== null) {
    const found = { name, address: host, port: MQTT_PORT };
    return { url: urlOf(found), source: 'found', found };
  }
  return { url: null, source: outcome === 'ambiguous' ? 'ambiguous' : 'none', found: null };
}

// Without a broker to connect to, why there is none is what the owner reads; with one, it changes nothing about the
// connection.
const withKey = (broker: Omit<DesiredBroker, 'key'>): DesiredBroker => ({
  ...broker,
  key: JSON.stringify([broker.url ?? (broker.searching ? broker.source : 'unsearched'), broker.found, broker.wish]),
});

/**
 * What the link shall connect to: the configured broker goes before a found one, and two found ones are never guessed
 * between.
 */
export function desiredBroker(parts: BrokerParts): DesiredBroker {
  const { broker, user, passwordSet, passwordMark, passwordRevision, addressFamily, panelId, installId, revision } =
    parts;
  return withKey({
    ...targetOf(parts),
    searching: parts.found.outcome !== 'off',
    user,
    passwordSet,
    passwordMark,
    addressFamily,
    panelId,
    installId,
    revision,
    wish: JSON.stringify([
      broker.trim(),
      user,
      passwordSet,
      passwordMark,
      passwordRevision,
      addressFamily,
      panelId,
      installId,
    ]),
  });
}

/** The same desired state for the broker at another place. */
export const atTarget = (broker: DesiredBroker, { url, source, found }: Target): DesiredBroker =>
  withKey({ ...broker, url, source, found });

/** Reads the `mqtt_address_family` setting. */
export const addressFamilyOf = (value: unknown): DesiredBroker['addressFamily'] =>
  value === 'Prefer IPv4' || value === 'Force IPv4' ? value : 'Automatic';
