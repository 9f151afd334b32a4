import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { activationAfterRestore, filterAfterRestore, sectionsAfterRestore } from '#actors/backup/after.ts';
import { archiveOf } from '#actors/backup/archive-of.ts';
import { planRestore } from '#actors/backup/plan.ts';
import { readContainer } from '#drivers/backup/container.ts';
import { decrypted, isEncrypted } from '#drivers/backup/hpb.ts';
import { type Archive, readArchive } from '#machines/backup/archive.ts';
import { readStored } from '#machines/settings/stored.ts';
import { fullPanel, newPanel } from '#test/actors/backup/panels.ts';
import { amount } from '#test/fakes/amount.ts';
import { pick, type Random, sequence } from '#test/fakes/sequence.ts';

import { zipBytes } from './zip-bytes.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sconce-archives-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const archives = fileURLToPath(new URL('archives', import.meta.url));
/** Of the archives that are kept here. */
const passphrase = 'a made-up passphrase';

async function opened(path: string): Promise<ReturnType<typeof readArchive>> {
  const read = await readContainer(path);
  return 'entries' in read ? readArchive(read.entries) : read;
}

/** The archive of a file; throws if it is refused. */
async function archiveIn(path: string): Promise<Archive> {
  const read = await opened(path);
  if ('refused' in read) throw new Error(read.message);
  return read.archive;
}

/** A panel after an archive was restored on the machine that it is from; throws if it is rejected. */
function restored(archive: Archive) {
  const panel = newPanel();
  const plan = planRestore(archive, panel, { replaces: false, own: archive.manifest.origin });
  if ('rejected' in plan) throw new Error(JSON.stringify(plan.rejected));
  const { settings, secrets, ...sections } = sectionsAfterRestore(panel.sections, plan, 3000);
  return { plan, sections, configuration: readStored({ settings, secrets }).configuration };
}

describe('the archives of schema 1, which owners have', () => {
  const whole = (): unknown => JSON.parse(readFileSync(join(archives, 'schema-1.json'), 'utf8')) as unknown;

  it('open with their passphrase, and have all that they had', async () => {
    const path = join(archives, 'schema-1.hpb');
    expect(await isEncrypted(path)).toBe(true);
    expect(await decrypted(path, join(folder, 'plain.zip'), passphrase)).toBe(true);
    const archive = await archiveIn(join(folder, 'plain.zip'));
    expect(archive).toEqual(whole());
    const { plan, sections, configuration } = restored(archive);
    expect(configuration.values).toMatchObject({
      friendly_name: 'Hall',
      panel_id: 'hall',
      ha_url: 'http://hall',
      mqtt_broker: 'mqtt://Hall',
      dashboard_zoom: 101,
      screen_off_hours: '22:00-06:00',
    });
    expect(configuration.expose).toMatchObject({ screen: false, log_level: true });
    expect(configuration.secrets).toEqual({
      ha_token: 'marker-ha_token',
      ha_oauth: 'marker-ha_oauth',
      mqtt_password: 'marker-mqtt_password',
    });
    expect(sections['proximity']).toEqual({ version: 1, calibrations: [{ near: 900, clear: 40 }] });
    expect(plan.preview.parts.map(({ does }) => does)).toEqual(Array.from({ length: 5 }, () => 'restored'));
  });

  it('open without one if they were made without, and have no credential', async () => {
    const path = join(archives, 'schema-1.zip');
    expect(await isEncrypted(path)).toBe(false);
    expect(readFileSync(path).includes('marker-')).toBe(false);
    const archive = await archiveIn(path);
    expect(JSON.stringify(archive)).not.toContain('marker-');
    const { configuration } = restored(archive);
    expect(configuration.values).toMatchObject({ friendly_name: 'Hall', dashboard_zoom: 101 });
    expect(configuration.secrets).toEqual({});
  });

  it('do not open with another passphrase', async () => {
    expect(await decrypted(join(archives, 'schema-1.hpb'), join(folder, 'plain.zip'), 'another passphrase')).toBe(
      false,
    );
  });
});

type Json = Readonly<Record<string, unknown>> | readonly unknown[] | string | number | boolean | null;

const strays: readonly Json[] = [
  null,
  -1,
  1e300,
  true,
  '',
  '../../etc/passwd',
  'x',
  '\ud800',
  'x'.repeat(70_000),
  [],
  {},
  [[[[]]]],
  { __proto__x: 1, constructor: 'x' },
  ['light.hall', 'light.hall'],
];

/** A JSON value with one value in it replaced, left out or doubled. */
function mutated(value: unknown, random: Random): unknown {
  if (random(4) === 0 || typeof value !== 'object' || value === null) return pick(random, strays);
  const entries = Object.entries(value);
  if (entries.length === 0) return pick(random, strays);
  const [key] = pick(random, entries);
  const kind = random(6);
  const changed = entries.flatMap(([name, one]): [string, unknown][] => {
    if (name !== key) return [[name, one]];
    if (kind === 0) return [];
    if (kind === 1)
      return [
        [name, one],
        [`${name}x`, one],
      ];
    return [[name, mutated(one, random)]];
  });
  return Array.isArray(value) ? changed.map(([, one]) => one) : Object.fromEntries(changed);
}

interface Head {
  readonly config: { readonly values: unknown };
}

/** The text of an entry with one change; every second one of a manifest is in its settings. */
function mutatedText(text: string, isManifest: boolean, random: Random): string {
  const json: unknown = JSON.parse(text);
  if (!isManifest || random(2) === 0) return JSON.stringify(mutated(json, random)) ?? '';
  // Written by this test.
  const head = json as Head;
  return JSON.stringify({ ...head, config: { ...head.config, values: mutated(head.config.values, random) } });
}

describe('an archive whose content was changed', () => {
  const made = archiveOf(fullPanel(), { secrets: true, companion: true });
  const entries = 'entries' in made ? made.entries : [];

  it('is refused as a value, or restores into a panel that is whole', async () => {
    const outcomes = new Map<string, number>();
    const count = (outcome: string): unknown => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    const panel = newPanel();
    for (let seed = 1; seed <= amount(100, 1000); seed += 1) {
      const random = sequence(seed);
      const target = pick(random, entries).name;
      const texts = entries.map(({ name, text }) => {
        const content = name === target ? mutatedText(text, name === 'manifest.json', random) : text;
        return { name, content };
      });
      const [manifest, ...parts] = texts;
      // Sizes that fit, so that what is inside is judged.
      const sizes = parts.map(({ name, content }) => ({ name, bytes: Buffer.byteLength(content) }));
      const head: unknown = JSON.parse(manifest?.content ?? '');
      const isWhole = typeof head === 'object' && head !== null && !Array.isArray(head);
      const first = { name: 'manifest.json', content: JSON.stringify(isWhole ? { ...head, entries: sizes } : head) };
      const path = join(folder, `${seed}.zip`);
      writeFileSync(path, zipBytes([first, ...parts]));
      // oxlint-disable-next-line no-await-in-loop -- one after another, for the memory
      const read = await opened(path);
      rmSync(path);
      if ('refused' in read) {
        count(read.refused);
        continue;
      }
      const plan = planRestore(read.archive, panel, { replaces: seed % 2 === 0, own: read.archive.manifest.origin });
      if ('rejected' in plan) {
        count('rejected');
        continue;
      }
      count('restored');
      const sections = sectionsAfterRestore(panel.sections, plan, 3000);
      expect([seed, sections['identity'], sections['restore']]).toEqual([
        seed,
        panel.sections['identity'],
        { version: 1, state: 'done', by: 'http', at: 2000 },
      ]);
      expect([seed, sectionsAfterRestore(sections, plan, 4000)]).toEqual([seed, sections]);
      const filter = filterAfterRestore(null, plan);
      expect([seed, filterAfterRestore(filter, plan)]).toEqual([seed, 'keep']);
      expect([seed, activationAfterRestore(activationAfterRestore(null, plan, 1), plan, 2)]).toEqual([seed, 'keep']);
      expect(JSON.stringify(plan.preview)).not.toContain('marker-');
    }
    for (const outcome of amount(
      ['restored', 'bad-archive'],
      ['restored', 'bad-archive', 'rejected', 'another-product'],
    ))
      expect([outcome, outcomes.get(outcome) ?? 0]).not.toEqual([outcome, 0]);
  });
});
