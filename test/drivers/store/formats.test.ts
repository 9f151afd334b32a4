import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { FORMAT_STEPS, WRITE_STEPS } from '#drivers/store/adapter.ts';
import { documentFormats, isDocument, readDocument } from '#drivers/store/document.ts';
import { formatOf, inPresentFormat } from '#drivers/store/formats.ts';
import { storedSections, type StoredSectionsOptions } from '#drivers/store/stored-sections.ts';
import type { Manifest } from '#machines/subsystem.ts';
import { subsystems } from '#machines/subsystems.ts';
import { nextFormats, thirdFormats } from '#test/fakes/next-formats.ts';

const DAY = Date.UTC(2026, 2, 3);
const identity = { installId: 'a'.repeat(32), autoPanelId: 'hall' };
const settings = { schema: 1, revision: 3, values: { friendly_name: 'Hall' }, expose: {} };
const older = { identity, settings, secrets: { mqtt_password: 'marker-1' } };
/** The same in the made-up next format. */
const newer = {
  version: 2,
  later: 'kept',
  sections: { identity, preferences: settings, secrets: { mqtt_password: 'marker-1' } },
};

let base = '';
let folder = '';
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'sconce-formats-'));
  folder = join(base, 'data');
  mkdirSync(folder, { mode: 0o700 });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const path = (name: string, of = folder): string => join(of, name);
function put(name: string, json: unknown): void {
  writeFileSync(path(name), typeof json === 'string' ? json : JSON.stringify(json));
  utimesSync(path(name), DAY / 1000, DAY / 1000);
}
const putOlder = (name = 'state.json', sections: object = older): void => put(name, { version: 1, sections });
const read = (name: string, of = folder): unknown => JSON.parse(readFileSync(path(name, of), 'utf8'));
const names = (of = folder): readonly string[] => readdirSync(of).toSorted();
async function open(options: Partial<StoredSectionsOptions> = {}, of = folder) {
  const store = storedSections({ folder: of, apart: ['history'], ...options });
  return { store, loaded: await store.load() };
}
const next = { formats: nextFormats };
async function valuesOf(sections: readonly string[], options = {}, of = folder): Promise<unknown> {
  const asked = await (await open(options, of)).store.read(sections);
  return asked.ok ? asked.values : asked.reason;
}

describe('a document of an earlier format', () => {
  it('is read in the present one, and nothing is written for it', async () => {
    putOlder();
    const before = readFileSync(path('state.json'), 'utf8');
    const { store, loaded } = await open(next);
    expect(loaded).toMatchObject({ from: 'current', trouble: null, newer: null });
    expect(await store.read(['preferences', 'settings', 'identity'])).toEqual({
      ok: true,
      values: { preferences: settings, settings: null, identity },
    });
    expect([names(), readFileSync(path('state.json'), 'utf8')]).toEqual([['state.json'], before]);
  });

  it('is kept beside the first one that is written, as it was, and never again', async () => {
    putOlder();
    const before = readFileSync(path('state.json'), 'utf8');
    const { store } = await open(next);
    expect(await store.write({ preferences: { ...settings, revision: 4 } })).toMatchObject({ outcome: { ok: true } });
    expect(read('state.json')).toMatchObject({ version: 2, sections: { preferences: { revision: 4 } } });
    expect(names()).toEqual(['state.json', 'state.json.previous', 'state.json.v1']);
    expect(readFileSync(path('state.json.v1'), 'utf8')).toBe(before);
    expect(statSync(path('state.json.v1')).mtimeMs).toBe(DAY);
    await store.write({ preferences: { ...settings, revision: 5 } });
    expect(readFileSync(path('state.json.v1'), 'utf8')).toBe(before);
    expect(read('state.json.previous')).toMatchObject({ version: 2, sections: { preferences: { revision: 4 } } });
  });

  it('is kept also where only the copy from before the last save is one', async () => {
    put('state.json', '{"version":1,"sect');
    putOlder('state.json.previous');
    const { store, loaded } = await open(next);
    expect(loaded).toMatchObject({ from: 'previous', trouble: 'unreadable', newer: null });
    await store.write({ setup: 1 });
    expect(read('state.json.v1')).toMatchObject({ version: 1, sections: older });
  });

  it('passes every migration since, each once', async () => {
    putOlder();
    const { store } = await open({ formats: thirdFormats });
    expect(await store.read(['choices', 'preferences', 'settings'])).toMatchObject({
      values: { choices: settings, preferences: null, settings: null },
    });
    await store.write({ setup: 1 });
    expect(names()).toEqual(['state.json', 'state.json.previous', 'state.json.v1']);
    expect(read('state.json')).toMatchObject({ version: 3, sections: { choices: settings, setup: 1 } });
  });

  it('stays where it is when the disk refuses, and the next save keeps it', async () => {
    putOlder();
    const { store } = await open(next);
    mkdirSync(path('state.json.keep'));
    expect(await store.write({ setup: 1 })).toMatchObject({ outcome: { ok: false } });
    expect(read('state.json')).toMatchObject({ version: 1 });
    rmSync(path('state.json.keep'), { recursive: true });
    expect(await store.write({ setup: 1 })).toMatchObject({ outcome: { ok: true } });
    expect(read('state.json.v1')).toMatchObject({ version: 1, sections: older });
  });

  it.each([...WRITE_STEPS, ...FORMAT_STEPS])('is whole after a kill at "%s" of the first save', async (step) => {
    putOlder();
    const copy = join(base, 'copy');
    const { store } = await open({
      ...next,
      onStep: (reached) => {
        // What the disk holds at this moment is what a killed process leaves.
        if (reached === step) cpSync(folder, copy, { recursive: true, preserveTimestamps: true });
      },
    });
    await store.write({ preferences: { revision: 4 } });
    const isNew = step === 'renamed' || step === 'folder-synced';
    const found = isNew ? { revision: 4 } : settings;
    expect(await valuesOf(['preferences'], next, copy)).toEqual({ preferences: found });
    // The earlier program has what it left, whichever of the two it meets.
    expect(await valuesOf(['settings', 'secrets'], {}, copy)).toEqual({ settings, secrets: older.secrets });
    const again = (await open(next, copy)).store;
    expect(await again.write({ setup: 1 })).toMatchObject({ outcome: { ok: true } });
    expect(read('state.json.v1', copy)).toMatchObject({ version: 1, sections: older });
  });
});

describe('a document of a newer format', () => {
  it('stays as it is while the copy from before it is in use, of which the time is known', async () => {
    put('state.json', newer);
    putOlder('state.json.v1');
    const { store, loaded } = await open();
    expect(loaded).toMatchObject({ from: 'copy', trouble: null, newer: { version: 2, copyFrom: DAY } });
    expect(await store.read(['settings', 'preferences'])).toEqual({
      ok: true,
      values: { settings, preferences: null },
    });
    expect([names(), read('state.json')]).toEqual([['state.json', 'state.json.v1'], newer]);
  });

  it('is kept beside what is saved then, and its own version has what was saved', async () => {
    put('state.json', newer);
    putOlder('state.json.v1');
    const { store } = await open();
    const changed = { ...settings, revision: 9 };
    expect(await store.write({ settings: changed })).toMatchObject({ outcome: { ok: true } });
    expect(read('state.json')).toMatchObject({ version: 1, sections: { settings: changed } });
    expect(read('state.json.v2')).toEqual(newer);
    expect(read('state.json.previous')).toMatchObject({ version: 1, sections: older });
    const { loaded } = await open();
    expect(loaded).toMatchObject({ from: 'current', newer: null });
    expect(await valuesOf(['preferences'], next)).toEqual({ preferences: changed });
  });

  it('is met with the newest copy that can be read', async () => {
    put('state.json', { version: 5, sections: {} });
    put('state.json.v4', { version: 4, sections: {} });
    put('state.json.v2', newer);
    putOlder('state.json.v1', { settings: 'of long ago' });
    const { loaded } = await open({ formats: thirdFormats });
    expect(loaded.newer).toEqual({ version: 5, copyFrom: DAY });
    expect(await valuesOf(['choices'], { formats: thirdFormats })).toEqual({ choices: settings });
    put('state.json.v2', 'torn');
    expect(await valuesOf(['choices'], { formats: thirdFormats })).toEqual({ choices: 'of long ago' });
  });

  it('is met with the copy from before the last save where that is of the own format', async () => {
    put('state.json', newer);
    putOlder('state.json.previous');
    expect((await open()).loaded).toMatchObject({ from: 'copy', newer: { version: 2, copyFrom: DAY } });
    expect(await valuesOf(['settings'])).toEqual({ settings });
  });

  describe('of which there is no copy', () => {
    it('says who the panel is, and nothing else; nothing is saved', async () => {
      put('state.json', newer);
      mkdirSync(path('sections'));
      put('sections/history.json', { version: 1, value: [1] });
      const { store, loaded } = await open();
      expect(loaded).toMatchObject({ from: 'empty', trouble: null, newer: { version: 2, copyFrom: null } });
      expect(await store.read(['identity', 'settings', 'secrets', 'preferences', 'history'])).toEqual({
        ok: true,
        values: { identity, settings: null, secrets: null, preferences: null, history: [1] },
      });
      const refused = { outcome: { ok: false, reason: 'newer-format' } };
      expect(await store.write({ settings })).toMatchObject(refused);
      expect(await store.write({ history: [1, 2] })).toMatchObject(refused);
      expect(await store.snapshot()).toEqual({ ok: false, reason: 'newer-format' });
      expect([names(), read('state.json')]).toEqual([['sections', 'state.json'], newer]);
      expect(read('sections/history.json')).toEqual({ version: 1, value: [1] });
    });

    it('is kept when the owner decides to start over, with the identity alone', async () => {
      put('state.json', newer);
      const { store } = await open();
      expect(await store.startOver()).toMatchObject({ outcome: { ok: true } });
      expect(read('state.json')).toEqual({ version: 1, sections: { identity } });
      expect(read('state.json.v2')).toEqual(newer);
      expect(await store.write({ settings })).toMatchObject({ outcome: { ok: true } });
      expect((await open()).loaded).toMatchObject({ from: 'current', newer: null });
    });

    it('stays undecided where the disk refuses to start over', async () => {
      put('state.json', newer);
      mkdirSync(path('state.json.next'));
      const { store } = await open();
      expect(await store.startOver()).toMatchObject({ outcome: { ok: false } });
      expect(await store.write({ settings })).toMatchObject({ outcome: { reason: 'newer-format' } });
      expect([read('state.json'), existsSync(path('state.json.v2'))]).toEqual([newer, false]);
    });

    it.each([...WRITE_STEPS.filter((step) => !['linked', 'kept'].includes(step)), ...FORMAT_STEPS])(
      'is whole after a kill at "%s" of starting over',
      async (step) => {
        put('state.json', newer);
        const copy = join(base, 'copy');
        const { store } = await open({
          onStep: (reached) => {
            if (reached === step) cpSync(folder, copy, { recursive: true });
          },
        });
        await store.startOver();
        const isOver = step === 'renamed' || step === 'folder-synced';
        expect(read(isOver ? 'state.json.v2' : 'state.json', copy)).toEqual(newer);
        expect((await open({}, copy)).loaded.newer).toEqual(isOver ? null : { version: 2, copyFrom: null });
        expect(await valuesOf(['identity'], {}, copy)).toEqual({ identity });
      },
    );

    it.each([
      ['no sections', { version: 2 }],
      ['an identity that is none', { version: 2, sections: { identity: 7, settings } }],
    ])('and that has %s, gives none', async (_, json) => {
      put('state.json', json);
      const { store, loaded } = await open();
      expect(loaded.newer).toEqual({ version: 2, copyFrom: null });
      expect(await store.read(['identity', 'settings'])).toMatchObject({ values: { identity: null, settings: null } });
      expect(names()).toEqual(['state.json']);
    });

    it('is found also where the current file is broken and the copy from before it is newer', async () => {
      put('state.json', '{"version":2,');
      put('state.json.previous', newer);
      const { store, loaded } = await open();
      expect(loaded.newer).toEqual({ version: 2, copyFrom: null });
      await store.startOver();
      expect(read('state.json.v2')).toEqual(newer);
    });
  });

  it('cannot be started over where there is none', async () => {
    putOlder();
    const { store } = await open();
    expect(await store.startOver()).toMatchObject({ outcome: { ok: false, reason: 'unknown' } });
    expect(read('state.json')).toEqual({ version: 1, sections: older });
  });

  it('is a whole document, though no section of it can be read', () => {
    expect(isDocument(JSON.stringify(newer))).toBe(true);
    expect(() => readDocument(newer)).toThrow('a newer version');
  });
});

describe('a credential that is dropped', () => {
  const marked = () => names().filter((name) => readFileSync(path(name), 'utf8').includes('marker-1'));

  it('is in no kept document any more, whose other settings and time stay', async () => {
    putOlder();
    const { store } = await open(next);
    await store.write({ setup: 1 });
    expect(marked()).toContain('state.json.v1');
    expect(await store.write({ secrets: { mqtt_password: 'marker-2' } })).toMatchObject({ outcome: { ok: true } });
    expect(marked()).toEqual([]);
    expect(read('state.json.v1')).toEqual({ version: 1, sections: { identity, settings, secrets: {} } });
    expect(statSync(path('state.json.v1'))).toMatchObject({ mtimeMs: DAY });
    expect(statSync(path('state.json.v1')).mode & 0o777).toBe(0o600);
  });

  it('is taken out of a newer document that has it under its name, and the rest stays', async () => {
    put('state.json', { ...newer, sections: { vault: { all: [older.secrets] }, preferences: settings } });
    putOlder('state.json.v1');
    const { store } = await open();
    await store.write({ secrets: {} });
    expect(marked()).toEqual([]);
    expect(read('state.json.v2')).toEqual({
      version: 2,
      later: 'kept',
      sections: { vault: { all: [{}] }, preferences: settings },
    });
  });

  it.each([
    ['has it under another name', { ...newer, sections: { vault: { broker: 'marker-1' } } }],
    ['is torn by now', '{"version":2,"sections":{"secrets":{"mqtt_password":"marker-1"'],
  ])('takes a newer document with it that %s', async (_, json) => {
    putOlder();
    put('state.json.v2', json);
    const { store } = await open();
    await store.write({ secrets: {} });
    expect([marked(), existsSync(path('state.json.v2'))]).toEqual([[], false]);
  });
});

describe('the file of a section that a newer version wrote', () => {
  const newerFile = { version: 2, rows: [1] };
  beforeEach(() => {
    putOlder();
    mkdirSync(path('sections'), { mode: 0o700 });
    put('sections/history.json', newerFile);
  });

  it('is told and stays; nothing else suffers', async () => {
    const { store, loaded } = await open();
    expect(loaded).toMatchObject({ newer: null, damaged: [{ section: 'history', from: 'newer' }] });
    expect(await store.read(['history', 'settings'])).toMatchObject({ values: { history: null, settings } });
    expect(await store.write({ history: [] })).toMatchObject({ outcome: { ok: false, reason: 'newer-format' } });
    expect(await store.write({ settings: 1 })).toMatchObject({ outcome: { ok: true } });
    expect([names(path('sections')), read('sections/history.json')]).toEqual([['history.json'], newerFile]);
  });

  it('gives way to the copy from before it, and is kept', async () => {
    put('sections/history.json.v1', { version: 1, value: ['old'] });
    const { store, loaded } = await open();
    expect(loaded.damaged).toEqual([{ section: 'history', from: 'copy' }]);
    expect(await store.read(['history'])).toEqual({ ok: true, values: { history: ['old'] } });
    expect(await store.write({ history: ['new'] })).toMatchObject({ outcome: { ok: true } });
    expect(read('sections/history.json.v2')).toEqual(newerFile);
    expect(read('sections/history.json')).toEqual({ version: 1, value: ['new'] });
  });

  it('is not overwritten by a section that an earlier version left in the document', async () => {
    putOlder('state.json', { ...older, history: ['of the document'] });
    expect(await valuesOf(['history', 'settings'])).toEqual({ history: ['of the document'], settings });
    expect(read('sections/history.json')).toEqual(newerFile);
    expect(read('state.json')).toMatchObject({ sections: { history: ['of the document'] } });
  });
});

describe('all sections at one moment', () => {
  it('are those of the document and of the files, and what cannot be read is named', async () => {
    putOlder();
    const { store } = await open({ apart: ['history', 'panel', 'relay1'] });
    await store.write({ history: [1] });
    mkdirSync(path('sections/panel.json.next'), { recursive: true });
    put('sections/panel.json', { version: 2 });
    const { store: again } = await open({ apart: ['history', 'panel', 'relay1'] });
    const all = await again.snapshot();
    expect(all).toEqual({ ok: true, sections: { ...older, history: [1] }, unreadable: ['panel'] });
    // A copy: a reader cannot change what the store holds.
    if (all.ok) Object.assign(all.sections['settings'] as object, { revision: 99 });
    expect(await again.read(['settings'])).toMatchObject({ values: { settings } });
  });

  it('are of before or after a save, never of between', async () => {
    const { store } = await open();
    const saved = store.write({ settings: 1, secrets: 1 });
    const taken = store.snapshot();
    const later = store.write({ settings: 2, secrets: 2 });
    expect(await taken).toMatchObject({ sections: { settings: 1, secrets: 1 } });
    expect([await saved, await later]).toMatchObject([{ outcome: { ok: true } }, { outcome: { ok: true } }]);
  });

  it('are refused before anything was read', async () => {
    const store = storedSections({ folder });
    expect(await store.snapshot()).toEqual({ ok: false, reason: 'unreadable' });
  });
});

/** Every section that any version stored, by its name then; names are added and never removed. */
const everStored = [
  'announced',
  'auto-brightness',
  'auto-sleep',
  'auto-sleep-sources',
  'broker',
  'companion',
  'consents',
  'history',
  'home_assistant',
  'identity',
  'led',
  'ledger',
  'maintenance',
  'panel',
  'panel_2',
  'panel_3',
  'panel_4',
  'proximity',
  'relay1',
  'relay2',
  'relay3',
  'relay4',
  'reset',
  'restore',
  'secrets',
  'settings',
  'setup',
];
const declared: readonly string[] = subsystems.flatMap((manifest: Manifest) => [
  ...Object.keys(manifest.sections ?? {}),
  ...Object.keys(manifest.sectionFiles ?? {}),
]);

describe('the sections of every version', () => {
  it.each(everStored)('have a part that reads them: %s', (name) => {
    const { sections } = readDocument({ version: 1, sections: { [name]: 1 } });
    expect(Object.keys(sections).filter((present) => !declared.includes(present))).toEqual([]);
    expect(Object.values(sections)).toEqual([1]);
  });

  it('have all sections of today among them', () => {
    expect(declared.filter((name) => !everStored.includes(name))).toEqual([]);
  });
});

describe('the formats of the document', () => {
  const fixtureOf = (format: number): URL => new URL(`formats/${format}.json`, import.meta.url);
  const before = Array.from({ length: documentFormats.current - 1 }, (_, index) => index + 1);

  it('have a migration and a fixture each but the present one', () => {
    expect(Object.keys(documentFormats.migrations).map(Number)).toEqual(before);
    for (const format of before) {
      const json: unknown = JSON.parse(readFileSync(fixtureOf(format), 'utf8'));
      expect(formatOf(json)).toBe(format);
      expect(formatOf(inPresentFormat(json, documentFormats))).toBe(documentFormats.current);
    }
  });

  it.each([
    [null, null],
    [[], null],
    [{}, null],
    [{ version: 0 }, null],
    [{ version: 1.5 }, null],
    [{ version: '2' }, null],
    [{ version: 10_000 }, null],
    [{ version: 1 }, 1],
    [{ version: 9999 }, 9999],
  ])('are told by their number: %j is %j', (json, format) => expect(formatOf(json)).toBe(format));
});
