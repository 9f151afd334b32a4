import { describe, expect, it } from 'vitest';

import { readArchive, sealed } from '#machines/backup/archive.ts';
import { type BackupManifest, backupManifest } from '#machines/backup/manifest.ts';
import type { ArchiveRefusal } from '#machines/backup/events.ts';
import { SETTINGS_SCHEMA } from '#machines/settings.ts';

const manifest = {
  kind: 'sconce-backup',
  schema: 1,
  made_at: 1000,
  made_by: 'hall',
  version: '0.2.0',
  origin: ['a'.repeat(64)],
  config: { schema: 1, values: { dashboard_zoom: '90' } },
  identity: { panel_id: 'hall', friendly_name: 'Hall' },
  state_unavailable: false,
  unreadable: [],
} as const satisfies Omit<BackupManifest, 'entries' | 'origin' | 'unreadable'> & {
  origin: unknown;
  unreadable: unknown;
};

const panel = { name: 'state/panel.json', text: '{"version":1,"sections":{"setup":{"a":1}}}' };

type Texts = Readonly<Record<string, string>>;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const containerOf = (texts: Texts): ReadonlyMap<string, Uint8Array> =>
  new Map(Object.entries(texts).map(([name, text]) => [name, bytes(text)]));

/** A manifest that names these entries, with what is changed in it. */
function container(parts: Texts, change: Readonly<Record<string, unknown>> = {}): ReadonlyMap<string, Uint8Array> {
  const entries = Object.entries(parts).map(([name, text]) => ({ name, bytes: bytes(text).length }));
  return containerOf({ 'manifest.json': JSON.stringify({ ...manifest, entries, ...change }), ...parts });
}

const good = { [panel.name]: panel.text };
const deep = `${'['.repeat(70)}${']'.repeat(70)}`;

describe('an archive', () => {
  it('is read part by part; what it does not have is null', () => {
    expect(readArchive(container(good))).toMatchObject({
      archive: {
        manifest: { made_by: 'hall', config: { values: { dashboard_zoom: '90' } } },
        panel: { sections: { setup: { a: 1 } } },
        filter: null,
        profiles: null,
        companion: null,
      },
    });
    expect(readArchive(container({}))).toMatchObject({ archive: { panel: null } });
  });

  it('may have wake words, which this version does not read', () => {
    expect(readArchive(container({ 'voice/wake-words.json': 'anything' }))).toHaveProperty('archive');
  });

  it('is written as it is read', () => {
    const made = sealed({ ...manifest, origin: [...manifest.origin], unreadable: [] }, [
      { name: 'state/panel.json', text: panel.text },
    ]);
    if ('tooLarge' in made) throw new Error('too large');
    expect(made.entries.map(({ name }) => name)).toEqual(['manifest.json', 'state/panel.json']);
    expect(
      readArchive(containerOf(Object.fromEntries(made.entries.map(({ name, text }) => [name, text])))),
    ).toHaveProperty('archive');
    expect(backupManifest().safeParse(JSON.parse(made.entries[0]?.text ?? '')).success).toBe(true);
  });

  it.each<[string, ReadonlyMap<string, Uint8Array>, ArchiveRefusal]>([
    ['of another kind', container(good, { kind: 'panel-backup' }), 'another-product'],
    ['of no kind', container(good, { kind: undefined }), 'another-product'],
    ['that is a bundle of the configuration', container(good, { kind: 'sconce-config' }), 'another-product'],
    ['whose manifest is a list', containerOf({ 'manifest.json': '[]' }), 'another-product'],
    [
      'of another product, with entries of its own',
      containerOf({ 'manifest.json': '{"v":2}', 'entity/filter-ids.txt': '' }),
      'another-product',
    ],
    ['of a newer form', container(good, { schema: 2 }), 'newer-version'],
    [
      'of a newer form, with entries of its own',
      container({ 'other/thing.json': '{}' }, { schema: 2 }),
      'newer-version',
    ],
    ['with newer settings', container(good, { config: { schema: SETTINGS_SCHEMA + 1, values: {} } }), 'newer-version'],
    ['without a manifest', containerOf(good), 'bad-archive'],
    ['whose manifest is no JSON', containerOf({ 'manifest.json': '{' }), 'bad-archive'],
    ['whose manifest is no UTF-8', new Map([['manifest.json', new Uint8Array([0x7b, 0xff, 0x7d])]]), 'bad-archive'],
    ['whose manifest is too deep', containerOf({ 'manifest.json': deep }), 'bad-archive'],
    ['without an origin', container(good, { origin: undefined }), 'bad-archive'],
    ['whose form is no number', container(good, { schema: 'one' }), 'bad-archive'],
    ['whose form is none', container(good, { schema: 0 }), 'bad-archive'],
    [
      'whose settings are no text',
      container(good, { config: { schema: 1, values: { dashboard_zoom: 90 } } }),
      'bad-archive',
    ],
    ['with an entry that it does not name', container(good, { entries: [] }), 'bad-archive'],
    ['without an entry that it names', container({}, { entries: [{ name: panel.name, bytes: 1 }] }), 'bad-archive'],
    ['with an entry that is longer', container(good, { entries: [{ name: panel.name, bytes: 1 }] }), 'bad-archive'],
    ['with an entry that is shorter', container(good, { entries: [{ name: panel.name, bytes: 9999 }] }), 'bad-archive'],
    [
      'that names an entry twice',
      container(good, { entries: [panel, panel].map(({ name, text }) => ({ name, bytes: text.length })) }),
      'bad-archive',
    ],
    ['that names its manifest', container({}, { entries: [{ name: 'manifest.json', bytes: 1 }] }), 'bad-archive'],
    [
      'that names more than nine',
      container({}, { entries: Array.from({ length: 9 }, (_, at) => ({ name: `a${at}`, bytes: 1 })) }),
      'bad-archive',
    ],
    ['with an entry that no backup has', container({ 'other/thing.json': '{}' }), 'bad-archive'],
    ['with half a part', container({ [panel.name]: '{"version":1' }), 'bad-archive'],
    ['with a part of a newer version', container({ [panel.name]: '{"version":2,"sections":{}}' }), 'bad-archive'],
    [
      'with a part that is too deep',
      container({ [panel.name]: `{"version":1,"sections":{"a":${deep}}}` }),
      'bad-archive',
    ],
    [
      'with a part of too many values',
      container({ [panel.name]: `{"version":1,"sections":{"a":[${'0,'.repeat(200_001)}0]}}` }),
      'bad-archive',
    ],
    [
      'with an id that is none',
      container({
        'entity/filter.json':
          '{"version":1,"policy":{"auto_static":true,"auto_runtime":true},"manual":{"enabled":true,"ids":["no id"]},"accounts":[]}',
      }),
      'bad-archive',
    ],
    [
      'with a profile that climbs out',
      container({
        'profiles/catalog.json': JSON.stringify({
          version: 1,
          selection: { mode: 'auto' },
          revisions: [{ id: '../x', revision: 'a'.repeat(64), yaml: '' }],
        }),
      }),
      'bad-archive',
    ],
    [
      'with a revision that is no digest',
      container({
        'profiles/catalog.json': JSON.stringify({
          version: 1,
          selection: { mode: 'pinned', id: 'x', revision: '../x' },
          revisions: [],
        }),
      }),
      'bad-archive',
    ],
    [
      'with a sign-in for nowhere',
      container({
        'companion/sign-in.json': JSON.stringify({
          version: 1,
          secrets: { ha_oauth: { value: 'x', recipient: { host: 1 } } },
        }),
      }),
      'bad-archive',
    ],
  ])('%s is refused', (_, entries, refused) => {
    expect(readArchive(entries)).toEqual({ refused, message: expect.stringMatching(/^(?:The|This) .+\.$/) as unknown });
  });
});
