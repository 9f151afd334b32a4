import { cpSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createActor, type EventObject } from 'xstate';
import { afterEach, describe, expect, it } from 'vitest';

import { identitySpec } from '#actors/identity.ts';
import { createRegistry } from '#actors/kit/registry.ts';
import { settingsSpec } from '#actors/settings.ts';
import { storeSpec } from '#actors/store.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import { WRITE_STEPS } from '#drivers/store/adapter.ts';
import { storedSections } from '#drivers/store/stored-sections.ts';
import type { IdentityFact } from '#machines/identity/events.ts';
import { consentKeys } from '#machines/settings/consents.ts';
import { descriptorOf } from '#machines/settings.ts';

const folders: string[] = [];
async function made(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sconce-consents-'));
  folders.push(folder);
  return folder;
}
const ends: (() => void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) end();
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});

/** The base on that folder, in the machine with that card; every value that the settings ever showed is in `seen`. */
async function boot(folder: string, card: string, onStep: (step: string) => void = () => {}) {
  const registry = createRegistry();
  const machineFacts = fromDriver<EventObject, undefined, IdentityFact>(({ send }) => {
    const fingerprint = card.repeat(64);
    const none = { hostName: 'hall', system: '', vendor: '', product: '' };
    const fresh = card.repeat(32);
    send({ type: 'machine.observed', facts: { ...none, fingerprint, fingerprints: [fingerprint] }, fresh });
  });
  const store = createActor(storeSpec({ folder, sections: storedSections({ folder, onStep }) }).logic);
  const settings = createActor(
    settingsSpec({ registry, openFiles: [], now: Date.now, mode: () => 'relaxed', recorded: null }).logic,
  );
  const spec = identitySpec({ registry, machineFacts, version: '1.0.0', build: '0badcafe' });
  const identity = createActor(spec.logic, { input: spec.input?.() });
  const all: Readonly<Record<string, unknown>> = { store, settings, identity };
  registry.attach({ get: (id) => all[id] });
  const seen: unknown[] = [];
  settings.subscribe(({ context }) => seen.push(...consentKeys.map((key) => context.values[key])));
  const actors = [store, settings, identity];
  for (const actor of actors) actor.start();
  for (const id of ['store', 'settings', 'identity']) registry.started(id);
  const end = (): void => {
    for (const actor of actors.toReversed()) actor.stop();
  };
  ends.push(end);
  await expect.poll(() => registry.read('identity')?.value).toBe('ready');
  await expect.poll(() => registry.read('settings')?.context.revision).toBeGreaterThan(0);
  const merge = (patch: Readonly<Record<string, unknown>>, consent?: string) =>
    registry.ask('settings', { type: 'settings.merge', patch, ...(consent !== undefined && { consent }) }, 10_000);
  return { registry, seen, merge, end, value: (key: string) => registry.read('settings')?.context.values[key] };
}

describe.each(consentKeys)('the consent to %s, on a disk', (key) => {
  const agree = async (folder: string) => {
    const t = await boot(folder, 'a');
    const asked = await t.merge({ [key]: true }, descriptorOf(key)?.consent ?? '');
    expect(asked).toMatchObject({ ok: true, value: { status: 'saved' } });
    return t;
  };

  it('holds after a restart, and is in the first facts that are shown', async () => {
    const folder = await made();
    (await agree(folder)).end();
    const again = await boot(folder, 'a');
    expect(again.value(key)).toBe(true);
  });

  it('does not hold on a cloned card, not for a moment, nor back on the first machine once that saved', async () => {
    const folder = await made();
    (await agree(folder)).end();
    const copy = await made();
    await cp(folder, copy, { recursive: true });
    for (let start = 0; start < 3; start += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one start after another
      const clone = await boot(copy, 'b');
      // oxlint-disable-next-line no-await-in-loop -- as above
      await clone.merge({ friendly_name: `Attic ${start}` });
      expect(clone.seen).not.toContain(true);
      clone.end();
    }
    expect((await boot(copy, 'a')).seen).not.toContain(true);
    // The original is what it was.
    expect((await boot(folder, 'a')).value(key)).toBe(true);
  });

  it('is in no file of the folder once it was turned off', async () => {
    const folder = await made();
    const t = await agree(folder);
    await t.merge({ [key]: false });
    t.end();
    for (const name of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!name.isFile()) continue;
      // oxlint-disable-next-line no-await-in-loop -- a handful of files
      const text = await readFile(join(name.parentPath, name.name), 'utf8');
      expect([name.name, text.includes('consents')]).toEqual([name.name, false]);
    }
  });

  it.each([true, false])('is on with its value or not at all, wherever a write to %s is cut off', async (to) => {
    for (const step of WRITE_STEPS) {
      /* oxlint-disable no-await-in-loop -- one after another */
      const folder = await made();
      if (!to) (await agree(folder)).end();
      const cut = await made();
      let isCut = false;
      const t = await boot(folder, 'a');
      t.end();
      const again = await boot(folder, 'a', (now) => {
        // What a process that is killed here leaves behind.
        if (now !== step || isCut) return;
        isCut = true;
        cpSync(folder, cut, { recursive: true });
      });
      await again.merge({ [key]: to }, to ? (descriptorOf(key)?.consent ?? '') : undefined);
      again.end();
      expect([step, isCut]).toEqual([step, true]);
      const after = await boot(cut, 'a');
      const consents = await after.registry.ask('store', { type: 'store.read', section: 'consents' }, 3000);
      const stored = consents.ok && consents.value.ok ? consents.value.value : expect.fail('no answer');
      expect([step, after.value(key), stored]).toEqual([
        step,
        stored !== null,
        stored === null ? null : { [key]: 'a'.repeat(32) },
      ]);
      after.end();
      /* oxlint-enable no-await-in-loop */
    }
  });
});
