import { describe, expect, it, onTestFinished } from 'vitest';

import { companionKeys } from '#actors/companion/keys.ts';
import type { ClientDescription, KeysCommand, KeysFact } from '#machines/companion/events.ts';
import { runDriver } from '#test/drivers/run-driver.ts';
import { settle } from '#test/fakes/kit-clock.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';

const DAY = 24 * 3_600_000;
const install = 'f'.repeat(32);
const client: ClientDescription = { clientId: 'c'.repeat(32), name: 'Home', version: '1', integration: '1' };
const key = { keyId: 'a'.repeat(16), key: 'b'.repeat(64) };

/** The driver over a store that holds `section`. */
async function start(section: unknown = null, installId = install) {
  const registry = fakeRegistry({ identity: { installId } });
  const disk = { section, refuses: false, commits: 0 };
  registry.answer = (_, event) => {
    if (event.type === 'store.read') return { ok: true, value: { ok: true, value: disk.section } };
    if (disk.refuses) return { ok: true, value: { ok: false, reason: 'ENOSPC' } };
    disk.commits += 1;
    disk.section = (event as unknown as { readonly value: unknown }).value;
    return { ok: true, value: { ok: true } };
  };
  let time = 1000;
  const driver = runDriver<KeysCommand, KeysFact>(companionKeys({ registry, now: () => time }));
  onTestFinished(driver.stop);
  await settle();
  const tell = async (...commands: readonly KeysCommand[]): Promise<void> => {
    for (const command of commands) driver.tell(command);
    await settle();
    await settle();
  };
  const knownNow = () => driver.facts.findLast((fact) => fact.type === 'keys.known');
  return {
    driver,
    registry,
    disk,
    tell,
    pass: (ms: number) => {
      time += ms;
    },
    known: knownNow,
    openers: () => knownNow()?.keys.map(({ keyId }) => keyId) ?? null,
    pair: () => tell({ type: 'keys.hold', pairing: 1, client, key }, { type: 'keys.keep', pairing: 1 }),
    types: () => driver.facts.map(({ type }) => type),
  };
}

describe('a pairing', () => {
  it('is on the disk before it counts, and before Home Assistant can be told', async () => {
    const keys = await start();
    await keys.pair();
    expect(keys.types()).toEqual(['memory.known', 'keys.known', 'keys.known', 'keys.kept']);
    expect(keys.openers()).toEqual([key.keyId]);
    const again = await start(keys.disk.section);
    expect(again.known()).toMatchObject({ clients: [{ name: 'Home', pairedAt: 1000 }], keys: [key] });
  });

  it('counts for nothing if the disk refuses it', async () => {
    const keys = await start();
    keys.disk.refuses = true;
    await keys.pair();
    expect(keys.driver.facts.at(-1)).toEqual({ type: 'keys.unkept', pairing: 1, code: 'ENOSPC' });
    expect(keys.openers()).toEqual([]);
  });

  it('that was dropped cannot be stored', async () => {
    const keys = await start();
    await keys.tell({ type: 'keys.hold', pairing: 1, client, key }, { type: 'keys.drop', pairing: 1 });
    await keys.tell({ type: 'keys.keep', pairing: 1 });
    expect([keys.driver.facts.at(-1), keys.disk.commits]).toEqual([
      { type: 'keys.unkept', pairing: 1, code: 'not-held' },
      0,
    ]);
  });

  it('does not count on a copy of the card', async () => {
    const keys = await start();
    await keys.pair();
    const cloned = await start(keys.disk.section, 'e'.repeat(32));
    expect(cloned.openers()).toEqual([]);
  });

  it('waits for the install id', async () => {
    const keys = await start(null, '');
    expect(keys.known()).toBeUndefined();
    keys.registry.put('identity', { installId: install });
    expect(keys.openers()).toEqual([]);
  });
});

describe('a key', () => {
  it('is replaced after thirty days: both count until Home Assistant has the new one', async () => {
    const keys = await start();
    await keys.pair();
    await keys.tell({ type: 'keys.review', keyIds: [key.keyId] });
    expect(keys.types()).not.toContain('key.prepared');
    keys.pass(30 * DAY);
    await keys.tell({ type: 'keys.review', keyIds: [key.keyId] });
    const prepared = keys.driver.facts.findLast((fact) => fact.type === 'key.prepared');
    const next = prepared?.next;
    expect(next?.key).toMatch(/^[0-9a-f]{64}$/);
    expect(keys.openers()).toEqual([key.keyId, next?.keyId]);
    // It is on the disk, and another look names the same one.
    const again = await start(keys.disk.section);
    await again.tell({ type: 'keys.review', keyIds: [key.keyId] });
    expect(again.driver.facts.at(-1)).toEqual(prepared);
    await again.tell({ type: 'keys.promote', keyId: next?.keyId ?? '' });
    expect(again.openers()).toEqual([next?.keyId]);
  });

  it('is not replaced while the disk refuses', async () => {
    const keys = await start();
    await keys.pair();
    keys.pass(30 * DAY);
    keys.disk.refuses = true;
    await keys.tell({ type: 'keys.review', keyIds: [key.keyId] });
    expect([keys.types().includes('key.prepared'), keys.openers()]).toEqual([false, [key.keyId]]);
  });

  it('is revoked by its id, and all are forgotten at once', async () => {
    const keys = await start();
    await keys.pair();
    await keys.tell({ type: 'keys.revoke', requestId: 'a', keyId: '0'.repeat(16) });
    expect(keys.driver.facts.at(-1)).toMatchObject({ outcome: { status: 'unknown' }, removed: 0 });
    await keys.tell({ type: 'keys.revoke', requestId: 'b', keyId: key.keyId });
    expect(keys.driver.facts.at(-1)).toMatchObject({ requestId: 'b', outcome: { status: 'done' }, removed: 1 });
    expect([keys.openers(), keys.disk.section]).toEqual([[], null]);
    await keys.pair();
    await keys.tell({ type: 'keys.forget', requestId: 'c' });
    expect([keys.openers(), keys.disk.section]).toEqual([[], null]);
  });

  it('that the disk keeps still counts', async () => {
    const keys = await start();
    await keys.pair();
    keys.disk.refuses = true;
    await keys.tell({ type: 'keys.revoke', requestId: 'a', keyId: key.keyId });
    expect(keys.driver.facts.at(-1)).toMatchObject({ outcome: { status: 'failed', code: 'ENOSPC' } });
    expect(keys.openers()).toEqual([key.keyId]);
  });

  it('notes its last use, which is written later', async () => {
    const keys = await start();
    await keys.pair();
    const { commits } = keys.disk;
    await keys.tell({ type: 'keys.used', keyId: key.keyId, at: 5000 });
    expect([keys.known()?.clients[0]?.usedAt, keys.disk.commits]).toEqual([5000, commits]);
    keys.driver.stop();
    await keys.driver.settled();
    expect(keys.disk.section).toMatchObject({ keys: [{ usedAt: 5000 }] });
  });

  it('follows the Home Assistant that the owner chose, of those that are paired', async () => {
    const keys = await start();
    await keys.pair();
    await keys.tell({ type: 'keys.follow', requestId: 'a', clientId: client.clientId });
    expect(keys.known()?.chosen).toBe(client.clientId);
    await keys.tell({ type: 'keys.follow', requestId: 'b', clientId: '0'.repeat(32) });
    expect(keys.driver.facts.at(-1)).toMatchObject({ outcome: { status: 'unknown' } });
  });
});
