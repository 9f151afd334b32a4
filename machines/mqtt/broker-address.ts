import type { Recipient } from '../kit/recipient.ts';
import { FOUR_NUMBERS, isPartialIpv4 } from '../kit/host-name.ts';
import { ok, refuse } from '../kit/result.ts';
import type { Result } from '../kit/result.ts';
import { ownField } from '../kit/own-field.ts';

/** The parts of a broker's URL that decide who gets the password. */
export interface BrokerAddress {
  readonly secure: boolean;
  /** Lower-case name or address; IPv6 without brackets. */
  readonly host: string;
  /** TCP port, 1 to 65535. */
  readonly port: number;
}

const SCHEMES: Readonly<Record<string, boolean>> = { tcp: false, mqtt: false, ssl: true, mqtts: true, tls: true };
const FORM = /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^/?#]*)(.*)$/is;
const AUTHORITY = /^(\[[0-9a-f:.]+\]|[^:[\]\s]+)(?::(\d{1,5}))?$/i;
const NAME = /^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?\.?$/i;

/**
 * Parses a broker URL (schemes tcp, mqtt, ssl, mqtts, tls; mqtt by default). The messages of a refusal complete "Broker
 * ..." and never contain the text itself: it may hold a password.
 */
export function parseBrokerAddress(
  text: string,
): Result<BrokerAddress, 'scheme' | 'userinfo' | 'host' | 'port' | 'path'> {
  const [, scheme = 'mqtt', authority = '', rest = ''] = FORM.exec(text) ?? [];
  const secure = ownField(SCHEMES, scheme.toLowerCase());
  // `mqtt//host`: the colon is missing.
  if (secure === undefined || /^[a-z]+\/\//i.test(text))
    return refuse('scheme', 'must begin with mqtt:// or mqtts://, such as mqtt://192.168.1.10:1883');
  if (authority.includes('@'))
    return refuse('userinfo', 'must not hold a user name or password; put them in their own fields');
  if (rest !== '' && rest !== '/')
    return refuse('path', 'must end after the host name and port, such as mqtt://192.168.1.10:1883');
  const [, bracketed = '', digits] = AUTHORITY.exec(authority) ?? [];
  const host = bracketed.replace(/^\[|\]$/g, '').toLowerCase();
  const port = digits === undefined ? (secure ? 8883 : 1883) : Number(digits);
  if (host === '' || host.length > 253 || !(bracketed.startsWith('[') || NAME.test(host))) {
    return refuse('host', 'must name a host, such as mqtt://192.168.1.10:1883');
  }
  if (isPartialIpv4(host)) return refuse('host', FOUR_NUMBERS);
  if (port < 1 || port > 65_535) return refuse('port', 'must have a port from 1 to 65535');
  return ok({ secure, host: host.replace(/\.$/, ''), port });
}

/** The broker that a setting names; null for "" and for an invalid address. */
export function brokerRecipient(text: string): Recipient | null {
  const address = parseBrokerAddress(text);
  if (text === '' || !address.ok) return null;
  const { secure, host, port } = address.value;
  return { scheme: secure ? 'mqtts' : 'mqtt', host, port, name: null };
}
