import type { Answer, DecodedPacket } from 'dns-packet';

import type { FoundInstance } from '#machines/finder/events.ts';

/** Name under which Home Assistant advertises itself. */
export const HOME_ASSISTANT_SERVICE = '_home-assistant._tcp.local';

/** Most instances and hosts kept; a network that advertises more is not trusted. */
const INSTANCES = 32;
/** Longest time a record is trusted, in seconds, whatever its time to live. */
const LONGEST_TTL = 4500;
/** Longest text accepted from a record, in characters. */
const TEXT_LENGTH = 255;
/** Home Assistant's port until its SRV record arrives. */
const USUAL_PORT = 8123;

interface Instance {
  readonly uuid: string | null;
  readonly target: string | null;
  readonly port: number;
  readonly internalUrl: string | null;
  readonly expiresAt: number;
}

/** What the answers so far contain. Names are untrusted, such as `__proto__`. */
export interface Observed {
  /** By the instance's name in lower case. */
  readonly instances: ReadonlyMap<string, Instance>;
  /** IPv4 addresses by host name in lower case; the first one of the newest response that has any. */
  readonly addresses: ReadonlyMap<string, string>;
}

export const nothingObserved: Observed = { instances: new Map(), addresses: new Map() };

const lower = (text: string): string => text.toLowerCase().slice(0, TEXT_LENGTH);

/** The value of `key` in a TXT record; null if it has none. */
function valueIn(data: unknown, key: string): string | null {
  const parts: readonly unknown[] = Array.isArray(data) ? data : [data];
  const start = `${key}=`;
  for (const part of parts) {
    const text = typeof part === 'string' ? part : part instanceof Uint8Array ? Buffer.from(part).toString('utf8') : '';
    if (text.startsWith(start) && text.length > start.length)
      return text.slice(start.length, start.length + TEXT_LENGTH);
  }
  return null;
}

const isInstance = (name: string): boolean => lower(name).endsWith(`.${HOME_ASSISTANT_SERVICE}`);

const without = <T>(map: ReadonlyMap<string, T>, key: string): ReadonlyMap<string, T> =>
  new Map([...map].filter(([name]) => name !== key));

const unknown = { uuid: null, target: null, port: USUAL_PORT, internalUrl: null };

function withInstance(seen: Observed, name: string, ttl: number, now: number, change: Partial<Instance>): Observed {
  const key = lower(name);
  // A time to live of 0 is a farewell.
  if (ttl === 0) return { ...seen, instances: without(seen.instances, key) };
  const known = seen.instances.get(key);
  if (known === undefined && seen.instances.size >= INSTANCES) return seen;
  const before = known ?? { ...unknown, expiresAt: 0 };
  const expiresAt = Math.max(before.expiresAt, now + Math.min(ttl, LONGEST_TTL) * 1000);
  return { ...seen, instances: new Map(seen.instances).set(key, { ...before, ...change, expiresAt }) };
}

function withRecord(seen: Observed, record: Answer, now: number): Observed {
  const ttl = 'ttl' in record && typeof record.ttl === 'number' ? record.ttl : 0;
  if (record.type === 'PTR' && lower(record.name) === HOME_ASSISTANT_SERVICE && isInstance(record.data))
    return withInstance(seen, record.data, ttl, now, {});
  if (record.type === 'SRV' && isInstance(record.name))
    return withInstance(seen, record.name, ttl, now, {
      target: lower(record.data.target),
      port: record.data.port > 0 ? record.data.port : USUAL_PORT,
    });
  if (record.type === 'TXT' && isInstance(record.name))
    return withInstance(seen, record.name, ttl, now, {
      uuid: valueIn(record.data, 'uuid'),
      internalUrl: valueIn(record.data, 'internal_url'),
    });
  return seen;
}

/**
 * The addresses after one response. A response lists all addresses of a host, so a known one that is still among them
 * stays.
 */
function addressesAfter(before: Observed['addresses'], records: readonly Answer[]): Observed['addresses'] {
  const alive = new Map<string, readonly string[]>();
  let after = before;
  for (const record of records) {
    if (record.type !== 'A') continue;
    const host = lower(record.name);
    if (record.ttl === 0) {
      // A farewell to an address that is not the host's known one changes nothing.
      if (after.get(host) === record.data) after = without(after, host);
    } else if (alive.has(host) || after.has(host) || new Set([...after.keys(), ...alive.keys()]).size < INSTANCES) {
      alive.set(host, [...(alive.get(host) ?? []), record.data]);
    }
  }
  const moved = [...alive].flatMap(([host, [first = '', ...others]]) =>
    others.includes(after.get(host) ?? '') ? [] : [[host, first] as const],
  );
  return new Map([...after, ...moved]);
}

/** Applies one response; `from` is its sender's address, used for a host without an address record. */
export function withResponse(
  seen: Observed,
  packet: Pick<DecodedPacket, 'answers' | 'additionals'>,
  from: string,
  now: number,
): Observed {
  const records = [...(packet.answers ?? []), ...(packet.additionals ?? [])].slice(0, 200);
  const after = records.reduce((state, record) => withRecord(state, record, now), seen);
  const next: Observed = { ...after, addresses: addressesAfter(after.addresses, records) };
  const unplaced = [...next.instances.values()].flatMap(({ target }) =>
    target !== null && !next.addresses.has(target) ? [target] : [],
  );
  const named = new Set(records.map((record) => (record.type === 'SRV' ? lower(record.data.target) : '')));
  const placed = unplaced.filter((target) => named.has(target)).map((target) => [target, from] as const);
  return { ...next, addresses: new Map([...next.addresses, ...placed]) };
}

/** Instances advertised at `now` with a known target and address. */
export const instancesIn = (seen: Observed, now: number): readonly FoundInstance[] =>
  [...seen.instances.values()].flatMap(({ uuid, target, port, internalUrl, expiresAt }) => {
    const host = target === null ? undefined : seen.addresses.get(target);
    return host === undefined || target === null || expiresAt <= now
      ? []
      : [{ id: uuid ?? target, name: target, host, port, internalUrl }];
  });
