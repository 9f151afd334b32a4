import type { Advertisement, LanFamily } from '#machines/advertiser/events.ts';

/** The first message to the responder's process. */
export interface ResponderOrder {
  readonly type: 'advertise';
  readonly interface: string;
  readonly family: LanFamily;
  readonly advertisement: Advertisement;
}

export type ResponderReport =
  /** The announcement was sent; `instance` is the name that was free. */
  { readonly type: 'up'; readonly instance: string } | { readonly type: 'renamed'; readonly instance: string };

/** The last message to the responder's process. */
export const END = { type: 'end' } as const;

/** Longest name in characters (RFC 1035: 63 bytes). */
const NAME_LENGTH = 63;
/** Most entries of a TXT record, and the longest of them in characters. */
const TXT = { entries: 16, length: 255 };

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= NAME_LENGTH;

const isText = (value: unknown): value is Readonly<Record<string, string>> =>
  isRecord(value) &&
  Object.keys(value).length <= TXT.entries &&
  Object.entries(value).every(([key, text]) => typeof text === 'string' && key.length + text.length < TXT.length);

const isPort = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= 65_535;

/** Parses a report of the other process; null if it is invalid. */
export const readReport = (message: unknown): ResponderReport | null =>
  isRecord(message) && (message['type'] === 'up' || message['type'] === 'renamed') && isName(message['instance'])
    ? { type: message['type'], instance: message['instance'] }
    : null;

/** Parses an order of the agent; null if it is invalid. */
export function readOrder(message: unknown): ResponderOrder | null {
  if (!isRecord(message) || message['type'] !== 'advertise') return null;
  const { interface: name, family, advertisement } = message;
  if (!isName(name) || (family !== 'ipv4' && family !== 'ipv6') || !isRecord(advertisement)) return null;
  const { instance, host, port, txt } = advertisement;
  return isName(instance) && isName(host) && isPort(port) && isText(txt)
    ? { type: 'advertise', interface: name, family, advertisement: { instance, host, port, txt } }
    : null;
}

/** True for the message to end. */
export const isEnd = (message: unknown): boolean => isRecord(message) && message['type'] === END.type;
