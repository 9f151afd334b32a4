import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { finishReset } from '#bin/reset-at-start.ts';
import { resetFolder, sectionsAtStart } from '#drivers/reset/at-start.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sconce-reset-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const put = (name: string, value: unknown): void =>
  writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));
const document = (sections: object) => ({ version: 1, sections, of_tomorrow: 1 });
const read = (name = 'state.json'): { readonly sections: Readonly<Record<string, unknown>> } =>
  JSON.parse(readFileSync(join(folder, name), 'utf8')) as ReturnType<typeof read>;
const ordered = (scope: string) => ({ version: 1, state: 'ordered', scope, by: 'http', at: 9, left_behind: 0 });
/** What a reset would remove least. */
const nothing = { sections: {}, profiles: false, light: false, copies: false, filter: 'keep' } as const;
const account = (server: string) => ({ server, user: 'u', start: null, dashboards: [] });
const filter = {
  version: 1,
  policy: { auto_static: true, auto_runtime: true },
  manual: { enabled: false, ids: [] },
  accounts: [account('http://ha:8123'), account('http://other:8123')],
};
const LIGHT = join('light', '0123456789abcdef');
const identity = { installId: 'a'.repeat(32), autoPanelId: 'vm' };

/** A folder as a used panel has it, with the order for a reset. */
function used(scope: string): void {
  const sections = {
    identity,
    settings: { revision: 3, values: { ha_url: 'http://ha:8123', friendly_name: 'Hall' }, expose: {} },
    secrets: { mqtt_password: 'hunter2' },
    proximity: { version: 1 },
  };
  put('state.json.previous', document(sections));
  put('state.json.broken', 'hunter2');
  put('state.json', document({ ...sections, reset: ordered(scope) }));
  put('entity-filter.json', filter);
  put('entity-filter.json.previous', filter);
  for (const name of ['browser', 'foreign-browser', join('profiles', 'mine'), 'adb', LIGHT, 'sections']) {
    mkdirSync(join(folder, name), { recursive: true });
    put(join(name, 'file'), 'x');
  }
}
/** The same with sections that have files of their own; one of them can only be read from its copy. */
function usedWithFiles(scope: string): void {
  used(scope);
  rmSync(join(folder, 'sections', 'file'));
  put('sections/history.json', { version: 1, value: { version: 1, entries: [entry] } });
  put('sections/panel.json', 'torn');
  put('sections/panel.json.previous', { version: 1, value: { version: 1, screen: { lastBrightness: 77 } } });
}
const entry = { at: 3, kind: 'screen', by: 'hunter2', code: 'off', times: 1 };
const all = (): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => {
      try {
        return readFileSync(join(folder, name), 'utf8');
      } catch {
        return '';
      }
    })
    .join('\n');

describe('a reset at the start', () => {
  it('of everything leaves who this machine is, and no copy of the rest', async () => {
    used('everything');
    expect(await finishReset(folder)).toEqual({ scope: 'everything', failure: null });
    expect(readdirSync(folder).toSorted()).toEqual(['adb', 'state.json', 'state.json.previous']);
    expect(Object.keys(read().sections).toSorted()).toEqual(['history', 'identity', 'maintenance', 'reset']);
    expect(read()).toMatchObject({ of_tomorrow: 1, sections: { identity, reset: { state: 'done' } } });
    expect(all()).not.toMatch(/hunter2|ha:8123|Hall/);
  });

  it.each(['connection', 'settings', 'everything'])(
    'of %s leaves no password that an installation left',
    async (scope) => {
      used(scope);
      put('given.json', {
        version: 1,
        settings: {},
        login: { homeAssistant: 'http://ha:8123', username: 'anna', password: 'hunter2' },
      });
      expect(await finishReset(folder)).toEqual({ scope, failure: null });
      expect(existsSync(join(folder, 'given.json'))).toBe(false);
      expect(all()).not.toContain('hunter2');
    },
  );

  it.each(['connection', 'settings', 'everything'])('of %s leaves no consent that was typed', async (scope) => {
    used(scope);
    put('microphone.json', { do: 'allow', installId: identity.installId });
    expect(await finishReset(folder)).toEqual({ scope, failure: null });
    expect(existsSync(join(folder, 'microphone.json'))).toBe(false);
  });

  it('of the connection leaves the profiles, and what was learned elsewhere', async () => {
    used('connection');
    expect(await finishReset(folder)).toEqual({ scope: 'connection', failure: null });
    expect(read().sections).toMatchObject({
      settings: { revision: 4, values: { friendly_name: 'Hall' } },
      secrets: {},
    });
    for (const name of ['entity-filter.json', 'entity-filter.json.previous'])
      expect(read(name)).toMatchObject({ accounts: [account('http://other:8123')] });
    expect([existsSync(join(folder, 'profiles/mine')), existsSync(join(folder, 'browser'))]).toEqual([true, false]);
    expect(all()).not.toMatch(/hunter2|ha:8123/);
    expect(existsSync(join(folder, LIGHT, 'file'))).toBe(true);
  });

  it('of the connection takes the light that its entity measured, and the place that it gave', async () => {
    used('connection');
    const { sections } = read();
    const values = { auto_brightness_ha_entity: 'sensor.hall_lux' };
    put('state.json', document({ ...sections, settings: { revision: 3, values, expose: {} } }));
    put('sections/auto-brightness.json', { version: 1, value: { place: { latitude: 52.5 } } });
    expect(await finishReset(folder)).toEqual({ scope: 'connection', failure: null });
    expect(existsSync(join(folder, 'light'))).toBe(false);
    expect(all()).not.toContain('52.5');
  });

  it('of the settings leaves the profiles and all that was learned', async () => {
    used('settings');
    expect(await finishReset(folder)).toEqual({ scope: 'settings', failure: null });
    expect(read().sections).toMatchObject({ settings: { values: {} }, secrets: {}, proximity: { version: 1 } });
    expect(read('entity-filter.json')).toEqual(filter);
    expect(['profiles/mine', LIGHT].map((name) => existsSync(join(folder, name)))).toEqual([true, true]);
    expect(all()).not.toContain('hunter2');
  });

  it('is made once: what a later start finds is done', async () => {
    used('settings');
    await finishReset(folder);
    const done = readFileSync(join(folder, 'state.json'), 'utf8');
    expect(await finishReset(folder)).toBeNull();
    expect(readFileSync(join(folder, 'state.json'), 'utf8')).toBe(done);
  });

  it.each([
    ['no folder', () => rmSync(folder, { recursive: true })],
    ['an empty one', () => {}],
    ['a torn document', () => put('state.json', '{"version":1,"sections":{"reset"')],
    ['no order', () => put('state.json', document({ settings: {} }))],
    ['an order that is none', () => put('state.json', document({ reset: { ...ordered('settings'), scope: 'house' } }))],
  ])('changes nothing with %s', async (_, make) => {
    make();
    const before = existsSync(folder) ? all() : '';
    expect(await finishReset(folder)).toBeNull();
    expect(existsSync(folder) ? all() : '').toBe(before);
  });

  it('of the settings takes the sections that have files back into the document, where none is lost', async () => {
    usedWithFiles('settings');
    expect(await finishReset(folder)).toEqual({ scope: 'settings', failure: null });
    expect(existsSync(join(folder, 'sections'))).toBe(false);
    expect(read().sections).toMatchObject({
      panel: { screen: { lastBrightness: 77 } },
      history: { entries: [entry, { kind: 'reset', code: 'settings' }] },
    });
  });

  it('of everything leaves none of them, also where it is done again', async () => {
    usedWithFiles('everything');
    const before = read().sections;
    // As a start leaves it that is killed once they are back in the document.
    put('state.json', document({ ...before, ...sectionsAtStart(folder) }));
    expect(await finishReset(folder)).toEqual({ scope: 'everything', failure: null });
    expect(readdirSync(folder).toSorted()).toEqual(['adb', 'state.json', 'state.json.previous']);
    expect(Object.keys(read().sections).toSorted()).toEqual(['history', 'identity', 'maintenance', 'reset']);
    expect(all()).not.toMatch(/hunter2|77/);
  });

  it('has the newer files where the document is only the copy from before the last save', async () => {
    const panel = (level: number) => ({ version: 1, level });
    mkdirSync(join(folder, 'sections'));
    put('state.json', 'torn');
    put('state.json.previous', document({ panel: panel(1), relay1: 'of the copy' }));
    put('sections/panel.json', { version: 1, value: panel(2) });
    // What was given cannot be removed: so the order to reset ends half-way.
    mkdirSync(join(folder, 'given.json'));
    expect(await resetFolder(folder, nothing)).toBe('ERR_FS_EISDIR');
    expect(read().sections).toEqual({ panel: panel(2), relay1: 'of the copy' });
  });

  /** Adds documents of other formats, earlier configurations, and what a restore has staged. */
  function withCopies(): void {
    for (const name of ['v1', 'v3'])
      put(`state.json.${name}`, { version: Number(name.slice(1)), sections: read().sections });
    for (const name of ['revisions.json', 'revisions.json.previous', 'revisions.json.broken']) put(name, 'hunter2');
    mkdirSync(join(folder, 'restore'));
    put('restore/state.json', 'staged');
  }
  const copies = (): readonly string[] =>
    readdirSync(folder).filter((name) => /^(?:state\.json\.v|revisions|restore)/.test(name));

  it.each(['connection', 'settings'])(
    'of %s removes the earlier configurations, and the credentials from the documents of other formats',
    async (scope) => {
      used(scope);
      withCopies();
      expect(await finishReset(folder)).toEqual({ scope, failure: null });
      expect(copies()).toEqual(['restore', 'state.json.v1', 'state.json.v3']);
      expect(read('state.json.v1').sections).toMatchObject({ settings: { values: { friendly_name: 'Hall' } } });
      expect(all()).not.toContain('hunter2');
    },
  );

  it('of everything removes all documents of other formats, and what a restore has staged', async () => {
    used('everything');
    withCopies();
    expect(await finishReset(folder)).toEqual({ scope: 'everything', failure: null });
    expect(copies()).toEqual([]);
    expect(all()).not.toMatch(/hunter2|staged/);
  });

  it('of the settings leaves the file of a section that a newer version wrote, as it is', async () => {
    usedWithFiles('settings');
    put('sections/history.json', { version: 2, rows: [1] });
    put('sections/history.json.previous', { version: 1, value: { version: 1, entries: [] } });
    put('sections/relay1.json.v1', { version: 1, value: 1 });
    expect(await finishReset(folder)).toEqual({ scope: 'settings', failure: null });
    expect(readdirSync(join(folder, 'sections')).toSorted()).toEqual(['history.json', 'relay1.json.v1']);
    expect(read('sections/history.json')).toEqual({ version: 2, rows: [1] });
  });

  it('is not carried out over a document of a newer version, which stays as it is', async () => {
    used('everything');
    const newer = { ...document(read().sections), version: 2 };
    put('state.json', newer);
    rmSync(join(folder, 'state.json.previous'));
    const before = all();
    expect(await finishReset(folder)).toBeNull();
    expect(await resetFolder(folder, nothing)).toBe('unreadable');
    expect([all(), read()]).toEqual([before, newer]);
  });

  it('is not stopped by a document of the filter that says nothing', async () => {
    used('connection');
    put('entity-filter.json', 'torn');
    put('entity-filter.json.previous', 'torn');
    expect(await finishReset(folder)).toEqual({ scope: 'connection', failure: null });
    expect(readdirSync(folder).filter((name) => name.startsWith('entity-filter'))).toEqual([]);
  });

  it('leaves everything as it is where the disk refuses to write', async () => {
    used('everything');
    // What is written first stands in the way of a file.
    mkdirSync(join(folder, 'state.json.next'));
    const before = all();
    expect(await finishReset(folder)).toEqual({ scope: 'everything', failure: 'ERR_FS_EISDIR' });
    expect(all()).toBe(before);
    expect([existsSync(join(folder, 'profiles/mine')), existsSync(join(folder, 'browser'))]).toEqual([true, true]);
    rmSync(join(folder, 'state.json.next'), { recursive: true });
    expect(await finishReset(folder)).toEqual({ scope: 'everything', failure: null });
  });

  it('comes to the same when a start before died at any point', async () => {
    used('everything');
    // All but the document, which is the last: as a start leaves it that is killed right before.
    rmSync(join(folder, 'entity-filter.json'));
    rmSync(join(folder, 'browser'), { recursive: true });
    rmSync(join(folder, 'profiles'), { recursive: true });
    expect(await finishReset(folder)).toEqual({ scope: 'everything', failure: null });
    expect(readdirSync(folder).toSorted()).toEqual(['adb', 'state.json', 'state.json.previous']);
  });
});

describe('a disk that refuses', () => {
  it('is told by its code, and the document stays with its order', async () => {
    used('settings');
    // Where the next document is to be written stands a folder that is not empty.
    mkdirSync(join(folder, 'state.json.next', 'x'), { recursive: true });
    const sections = sectionsAtStart(folder) ?? {};
    const failure = await resetFolder(folder, nothing);
    expect(failure).toMatch(/^E[A-Z_]+$/);
    expect(read().sections).toEqual(sections);
  });
});
