import { decode } from 'dns-packet';

import type { ProbeResult } from '#machines/advertiser/events.ts';

/** Largest packet accepted (RFC 6762, 17). */
const PACKET_BYTES = 9000;
/** Port of mDNS. */
export const MDNS_PORT = 5353;

const CLASS_IN = 1;
/** Requests an answer to this socket only (RFC 6762, 5.4). */
const UNICAST_RESPONSE = 0x8000;
const TYPE_ANY = 255;

/** What identifies the panel's own answer. */
export interface OwnAdvertisement {
  /** Full name of the instance with its service type and domain. */
  readonly name: string;
  /** Token of the running responder. */
  readonly token: string;
  /** Addresses that the answer may come from. */
  readonly addresses: readonly string[];
}

/** A question for all records of a name; `labels` are at most 63 bytes each. */
export function questionFor(id: number, labels: readonly string[]): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(id, 0);
  head.writeUInt16BE(1, 4);
  const name = labels.flatMap((label) => {
    const bytes = Buffer.from(label);
    return [Buffer.from([bytes.length]), bytes];
  });
  const tail = Buffer.alloc(5);
  tail.writeUInt16BE(TYPE_ANY, 1);
  tail.writeUInt16BE(CLASS_IN | UNICAST_RESPONSE, 3);
  return Buffer.concat([head, ...name, tail]);
}

const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const texts = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).map((part: unknown) =>
    typeof part === 'string' ? part : part instanceof Uint8Array ? Buffer.from(part).toString('utf8') : '',
  );

/**
 * Result of one packet: `visible` for the panel's own advertisement, `inconclusive` for another answer to the same
 * name, null for anything else.
 */
export function readAnswer(
  packet: Buffer,
  from: { readonly address: string; readonly port: number },
  id: number,
  own: OwnAdvertisement,
): Extract<ProbeResult, 'visible' | 'inconclusive'> | null {
  if (packet.length > PACKET_BYTES) return null;
  try {
    const answer = decode(packet);
    if (answer.id !== id || answer.type !== 'response') return null;
    const records = [...(answer.answers ?? []), ...(answer.additionals ?? [])].filter(
      (record) => (record.type === 'TXT' || record.type === 'SRV') && sameName(record.name, own.name),
    );
    const asked = (answer.questions ?? []).some((question) => sameName(question.name, own.name));
    if (!asked || records.length === 0) return null;
    const isOwn =
      from.port === MDNS_PORT &&
      own.addresses.includes(from.address) &&
      records.some((record) => record.type === 'TXT' && texts(record.data).includes(`probe=${own.token}`));
    return isOwn ? 'visible' : 'inconclusive';
  } catch {
    // The packet is malformed.
    return null;
  }
}
