import { describe, expect, it } from 'vitest';

import {
  clientsOf,
  followedIn,
  isDue,
  type KeysRecord,
  keysSection,
  noKeys,
  openersOf,
  promotedIn,
  readKeys,
  type StoredKey,
  usedIn,
  withKey,
  withNext,
  withoutKey,
} from '#machines/companion/keys.ts';
import { noMemory } from '#machines/companion/move.ts';
import { clientId, keyId } from './rig.ts';

const install = 'f'.repeat(32);
const DAY = 24 * 3_600_000;

const entry = (one: number, change: Partial<StoredKey> = {}): StoredKey => ({
  keyId: keyId(one),
  key: String(one).padStart(64, '0'),
  clientId: clientId(one),
  name: `Home ${one}`,
  pairedAt: one,
  renewedAt: one,
  usedAt: null,
  next: null,
  ...change,
});
const record = (...keys: readonly StoredKey[]): KeysRecord => ({ chosen: null, keys, memory: noMemory });
const next = { keyId: keyId(9), key: '9'.repeat(64) };

describe('the stored section', () => {
  it('comes back as it was', () => {
    const memory = {
      surface: 'native',
      moving: { to: 'mqtt', step: 'release', leave: true },
      offered: ['screen'],
    } as const;
    const kept = { chosen: clientId(2), keys: [entry(1), entry(2, { next, usedAt: 7 })], memory };
    const json: unknown = JSON.parse(JSON.stringify(keysSection(kept, install)));
    expect(readKeys(json, install)).toEqual(kept);
  });

  it('counts on the machine on which the keys were made alone', () => {
    const json = keysSection(record(entry(1)), install);
    expect(readKeys(json, 'e'.repeat(32))).toEqual(noKeys);
  });

  it.each<[string, unknown]>([
    ['nothing', null],
    ['another version', { ...keysSection(record(entry(1)), install), version: 2 }],
    ['a key that is none', keysSection(record(entry(1, { key: 'x' })), install)],
    ['too many', keysSection(record(...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((one) => entry(one))), install)],
  ])('has no key if it holds %s', (_, json) => {
    expect(readKeys(json, install)).toEqual(noKeys);
  });

  it('outlasts the keys while a move counts', () => {
    const kept = { ...noKeys, memory: { ...noMemory, surface: 'native' as const } };
    expect(readKeys(keysSection(kept, install), install)).toEqual(kept);
  });

  it('is removed with the last key', () => {
    expect(keysSection(noKeys, install)).toBeNull();
  });
});

describe('a record', () => {
  const eight = record(...[1, 2, 3, 4, 5, 6, 7, 8].map((one) => entry(one)));

  it('has room for eight', () => {
    expect(withKey(eight, entry(9))).toBeNull();
    expect(withKey(record(entry(1)), entry(2))).toEqual(record(entry(1), entry(2)));
  });

  it('keeps one key of each, in its place', () => {
    const again = entry(1, { keyId: keyId(7), key: '7'.repeat(64) });
    expect(withKey(record(entry(1), entry(2)), again)).toEqual(record(again, entry(2)));
    expect(withKey(eight, again)?.keys[0]).toEqual(again);
  });

  it('loses one by its id, with the one prepared for it', () => {
    const before = record(entry(1, { next }), entry(2));
    expect(withoutKey(before, keyId(1))).toEqual(record(entry(2)));
    expect(withoutKey(before, keyId(9))).toBe(before);
  });

  it('notes its use, and never an earlier one', () => {
    expect(usedIn(usedIn(record(entry(1)), keyId(1), 9), keyId(1), 4).keys[0]?.usedAt).toBe(9);
  });

  it('opens with both keys while one is replaced, and with the new one after that', () => {
    const prepared = withNext(record(entry(1), entry(2)), keyId(1), next);
    expect(openersOf(prepared).map(({ keyId: id }) => id)).toEqual([keyId(1), keyId(9), keyId(2)]);
    expect(clientsOf(prepared).map(({ nextKeyId }) => nextKeyId)).toEqual([keyId(9), null]);
    const promoted = promotedIn(prepared, keyId(9), 50);
    expect(promoted.keys[0]).toEqual(entry(1, { ...next, renewedAt: 50 }));
    expect(openersOf(promoted).map(({ keyId: id }) => id)).toEqual([keyId(9), keyId(2)]);
    expect(promotedIn(promoted, keyId(9), 60)).toBe(promoted);
  });

  it('tells no key of those that are paired', () => {
    expect(JSON.stringify(clientsOf(record(entry(1, { next }))))).not.toMatch(/"key"|9999/);
  });
});

it.each<[number, boolean]>([
  [30 * DAY - 1, false],
  [30 * DAY, true],
  [-DAY, false],
])('replaces a key that is %i ms old: %s', (age, due) => {
  expect(isDue({ renewedAt: 1000 }, 1000 + age)).toBe(due);
});

it('follows the chosen one while it is paired, otherwise the first', () => {
  const clients = [entry(1), entry(2)];
  expect([followedIn(clients, clientId(2)), followedIn(clients, clientId(3)), followedIn([], clientId(1))]).toEqual([
    clientId(2),
    clientId(1),
    null,
  ]);
});
