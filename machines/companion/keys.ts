import { z } from 'zod';

import { once } from '../kit/once.ts';
import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { KnownClient, PairedKey } from './events.ts';
import { type CompanionMemory, noMemory } from './move.ts';
import { wireLimits } from './wire.ts';

/** How long a key is in use before the panel replaces it. */
const RENEWAL_MS: Milliseconds = 30 * 24 * 3_600_000;

const keyId = once(() => z.string().regex(/^[0-9a-f]{16}$/));
const key = once(() => z.string().regex(/^[0-9a-f]{64}$/));
const clientId = once(() => z.string().regex(/^[0-9a-f]{32}$/));

/** A key that is stored. */
const StoredKey = once(() =>
  z.object({
    keyId: keyId(),
    key: key(),
    clientId: clientId(),
    name: z.string().max(80),
    pairedAt: z.int(),
    /** When this key became the one in use; the day of the pairing, or that of a renewal. */
    renewedAt: z.int(),
    usedAt: z.int().nullable(),
    /** The key that replaces it once Home Assistant has it. */
    next: z.object({ keyId: keyId(), key: key() }).nullable(),
  }),
);
export type StoredKey = Readonly<z.infer<ReturnType<typeof StoredKey>>>;

const Stored = once(() =>
  z.object({
    version: z.literal(1),
    /** The install id of the machine on which they were made. */
    install: z.string().min(1),
    chosen: clientId().nullable(),
    keys: z.array(StoredKey()).max(wireLimits.keys),
    /** Absent before the first move. */
    memory: z
      .object({
        surface: z.enum(['mqtt', 'native']),
        moving: z
          .object({
            to: z.enum(['mqtt', 'native']),
            step: z.enum(['withdraw', 'release', 'apply']),
            leave: z.boolean(),
          })
          .nullable(),
        offered: z.array(z.string().regex(/^[a-z0-9_]{1,64}$/)).max(300),
      })
      .optional(),
  }),
);

/** Every key, oldest pairing first, and whose lifecycle the owner chose. */
export interface KeysRecord {
  readonly chosen: string | null;
  readonly keys: readonly StoredKey[];
  readonly memory: CompanionMemory;
}

export const noKeys: KeysRecord = { chosen: null, keys: [], memory: noMemory };

/**
 * Reads the stored section `companion`. Keys count only on the machine on which they were made: a cloned card gets
 * another install id, and so has none.
 */
export function readKeys(stored: unknown, installId: string): KeysRecord {
  const { data } = Stored().safeParse(stored);
  return data === undefined || data.install !== installId
    ? noKeys
    : { chosen: data.chosen, keys: data.keys, memory: data.memory ?? noMemory };
}

const isEmpty = ({ surface, moving, offered }: CompanionMemory): boolean =>
  surface === 'mqtt' && moving === null && offered.length === 0;

/** The section as stored; null, which removes it, without any key and any move. */
export const keysSection = (
  { chosen, keys, memory }: KeysRecord,
  installId: string,
): z.infer<ReturnType<typeof Stored>> | null =>
  keys.length === 0 && isEmpty(memory)
    ? null
    : {
        version: 1,
        install: installId,
        chosen,
        keys: keys.map((one) => ({ ...one })),
        ...(!isEmpty(memory) && { memory: { ...memory, offered: [...memory.offered] } }),
      };

/** The Home Assistant whose lifecycle counts: the owner's choice, otherwise the one that was paired first. */
export function followedIn(clients: readonly Pick<KnownClient, 'clientId'>[], chosen: string | null): string | null {
  return (clients.find((one) => one.clientId === chosen) ?? clients[0])?.clientId ?? null;
}

/** True if no further Home Assistant can be paired; one that is paired already can be again. */
export const isFull = (clients: readonly Pick<KnownClient, 'clientId'>[], client: string): boolean =>
  clients.length >= wireLimits.keys && !clients.some(({ clientId: id }) => id === client);

/**
 * The record with a new key. A Home Assistant that is paired again has only the new one, and keeps its place. Null if
 * there is no room.
 */
export function withKey(record: KeysRecord, added: StoredKey): KeysRecord | null {
  if (isFull(record.keys, added.clientId)) return null;
  const isKnown = record.keys.some((one) => one.clientId === added.clientId);
  return {
    ...record,
    keys: isKnown ? record.keys.map((one) => (one.clientId === added.clientId ? added : one)) : [...record.keys, added],
  };
}

/** The record without the key of that id, whether it is in use or only prepared; the same object if there is none. */
export function withoutKey(record: KeysRecord, id: string): KeysRecord {
  const keys = record.keys.filter((one) => one.keyId !== id);
  return keys.length === record.keys.length ? record : { ...record, keys };
}

const changed = (record: KeysRecord, id: string, change: (one: StoredKey) => StoredKey): KeysRecord => ({
  ...record,
  keys: record.keys.map((one) => (one.keyId === id ? change(one) : one)),
});

/** The record after a session with that key began or ended. */
export const usedIn = (record: KeysRecord, id: string, at: EpochMs): KeysRecord =>
  changed(record, id, (one) => ({ ...one, usedAt: Math.max(one.usedAt ?? 0, at) }));

/** True if a key is to be replaced; a clock that ran backwards replaces none. */
export const isDue = ({ renewedAt }: Pick<StoredKey, 'renewedAt'>, now: EpochMs): boolean =>
  now - renewedAt >= RENEWAL_MS;

/** The record with a key prepared in place of one in use, which counts until Home Assistant has the new one. */
export const withNext = (record: KeysRecord, id: string, next: NonNullable<StoredKey['next']>): KeysRecord =>
  changed(record, id, (one) => ({ ...one, next }));

/** The record once Home Assistant has a prepared key: it counts alone. The same object if no such key was prepared. */
export function promotedIn(record: KeysRecord, nextId: string, now: EpochMs): KeysRecord {
  const renewed = record.keys.find(({ next }) => next?.keyId === nextId);
  return renewed?.next == null
    ? record
    : changed(record, renewed.keyId, (one) => ({ ...one, ...renewed.next, renewedAt: now, next: null }));
}

/** What others may know of them. */
export const clientsOf = ({ keys }: KeysRecord): readonly KnownClient[] =>
  keys.map(({ keyId: id, clientId: client, name, pairedAt, usedAt, next }) => ({
    keyId: id,
    clientId: client,
    name,
    pairedAt,
    usedAt,
    nextKeyId: next?.keyId ?? null,
  }));

/** Every key that opens a session, the prepared ones among them. */
export const openersOf = ({ keys }: KeysRecord): readonly PairedKey[] =>
  keys.flatMap(({ next, keyId: id, key: secret, clientId: client, name, pairedAt, usedAt }) => {
    const facts = { clientId: client, name, pairedAt, usedAt };
    return [{ ...facts, keyId: id, key: secret }, ...(next === null ? [] : [{ ...facts, ...next }])];
  });
