import type { DesiredBroker, FoundBroker } from './events.ts';

/** Port of the broker that is expected on a found Home Assistant. */
const MQTT_PORT = 1883;

const urlOf = ({ address, port }: Pick<FoundBroker, 'address' | 'port'>): string =>
  `mqtt://${address.includes(':') ? `[${address}]` : address}:${port}`;

/** Address of the broker that is expected on a found Home Assistant, as a value of the setting. */
export const brokerBeside = (address: string): string => urlOf({ address, port: MQTT_PORT });

/** Everything that decides which broker to connect to. */
export interface BrokerParts {
  /** Revision of the settings. */
  readonly revision: number;
  /** The `mqtt_broker` setting; empty means to search for one. */
  readonly broker: string;
  readonly user: string;
  readonly passwordSet: boolean;
  /** The mark of the password that was read last; null before that, or if none is set. */
  readonly passwordMark: string | null;
  /** Incremented whenever the password is replaced. */
  readonly passwordRevision: number;
  readonly addressFamily: DesiredBroker['addressFamily'];
  readonly panelId: string;
  readonly installId: string;
  readonly found: {
    /** `off` if the search is switched off. */
    readonly outcome: 'none' | 'found' | 'ambiguous' | 'off';
    /** Address of the only Home Assistant that was found. */
    readonly host: string | null;
    /** Host name that this address was advertised under. */
    readonly name: string | null;
  };
}

/** The location of a broker, and where it comes from. */
export type Target = Pick<DesiredBroker, 'url' | 'source' | 'found'>;

function targetOf({ broker, found: { outcome, host, name } }: BrokerParts): Target {
  if (broker.trim() !== '') return { url: broker.trim(), source: 'configured', found: null };
  if (outcome === 'found' && host !== null && name !== null) {
    const found = { name, address: host, port: MQTT_PORT };
    return { url: urlOf(found), source: 'found', found };
  }
  return { url: null, source: outcome === 'ambiguous' ? 'ambiguous' : 'none', found: null };
}

// Without a broker, the owner reads why there is none, so the reason is in the key; with one it does not affect the
// connection.
const withKey = (broker: Omit<DesiredBroker, 'key'>): DesiredBroker => ({
  ...broker,
  key: JSON.stringify([broker.url ?? (broker.searching ? broker.source : 'unsearched'), broker.found, broker.wish]),
});

/**
 * The broker to connect to: a configured one takes precedence over a found one, and of two found ones none is picked.
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

/** The same desired state with another location of the broker. */
export const atTarget = (broker: DesiredBroker, { url, source, found }: Target): DesiredBroker =>
  withKey({ ...broker, url, source, found });

/** Reads the `mqtt_address_family` setting. */
export const addressFamilyOf = (value: unknown): DesiredBroker['addressFamily'] =>
  value === 'Prefer IPv4' || value === 'Force IPv4' ? value : 'Automatic';
