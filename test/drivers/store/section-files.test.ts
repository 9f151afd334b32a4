import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { WRITE_STEPS } from '#drivers/store/adapter.ts';
import { storedSections, type StoredSectionsOptions } from '#drivers/store/stored-sections.ts';

const APART = ['history', 'panel', 'relay_1'];
/** What a used panel of an earlier version holds in its one document. */
const earlier = {
  identity: { installId: 'a' },
  settings: { revision: 3, values: { friendly_name: 'Hall' } },
  secrets: { mqtt_password: 'p' },
  history: { version: 1, entries: [{ at: 1 }] },
  panel: { version: 1, level: 40 },
  voices: 'of tomorrow',
};

let base = '';
let folder = '';
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'sconce-sections-'));
  folder = join(base, 'data');
  mkdirSync(folder, { mode: 0o700 });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const path = (name: string, of = folder): string => join(of, name);
function put(name: string, value: unknown, of = folder): void {
  mkdirSync(join(of, 'sections'), { recursive: true, mode: 0o700 });
  writeFileSync(path(name, of), typeof value === 'string' ? value : JSON.stringify(value));
}
const putDocument = (sections: object, name = 'state.json'): void =>
  writeFileSync(path(name), JSON.stringify({ version: 1, later: 'kept', sections }));
const json = (name: string, of = folder): unknown => JSON.parse(readFileSync(path(name, of), 'utf8'));
async function open(options: Partial<StoredSectionsOptions> = {}, of = folder) {
  const store = storedSections({ folder: of, apart: APART, ...options });
  return { store, loaded: await store.load() };
}
const all = [...Object.keys(earlier), 'relay_1'];
/** Everything that a store says, the folder as it is. */
const valuesOf = async (of = folder): Promise<unknown> => (await open({}, of)).store.read(all);
const whole = { ok: true, values: { ...earlier, relay_1: null } };

describe('a section that changes by itself', () => {
  it('is in a file of its own, as closed as the document, which no change of it touches', async () => {
    const { store } = await open();
    await store.write({ settings: { a: 1 }, secrets: {} });
    const { ino } = statSync(path('state.json'));
    expect(await store.write({ relay_1: { closed: true } })).toMatchObject({ outcome: { ok: true } });
    expect(await store.write({ relay_1: { closed: false } })).toMatchObject({ outcome: { ok: true } });
    expect([statSync(path('state.json')).ino, existsSync(path('state.json.previous'))]).toEqual([ino, false]);
    expect(json('sections/relay_1.json')).toEqual({ version: 1, value: { closed: false } });
    expect(json('sections/relay_1.json.previous')).toEqual({ version: 1, value: { closed: true } });
    expect(statSync(path('sections')).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(path('sections')))
      expect(statSync(path(`sections/${name}`)).mode & 0o777, name).toBe(0o600);
    await store.write({ settings: { a: 2 } });
    expect(json('state.json')).toEqual({ version: 1, sections: { settings: { a: 2 }, secrets: {} } });
    expect(await store.read(['relay_1', 'settings', 'panel'])).toEqual({
      ok: true,
      values: { relay_1: { closed: false }, settings: { a: 2 }, panel: null },
    });
    await store.write({ relay_1: null });
    expect(await (await open()).store.read(['relay_1'])).toEqual({ ok: true, values: { relay_1: null } });
  });

  it('is not committed with another one, since no disk takes two files all or none', async () => {
    const { store } = await open();
    for (const sections of [
      { settings: 1, history: 2 },
      { history: 1, panel: 2 },
    ])
      // oxlint-disable-next-line no-await-in-loop -- one after another
      expect(await store.write(sections)).toMatchObject({ outcome: { ok: false, reason: 'unknown' } });
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each(WRITE_STEPS)('is whole, the old or the new one, after a kill at "%s" of its write', async (step) => {
    const copy = join(base, 'copy');
    const { store } = await open({
      onStep: (reached) => {
        // What the disk holds at this moment is what a killed process leaves.
        if (reached === step) cpSync(folder, copy, { recursive: true });
      },
    });
    await store.write({ relay_1: 'old' });
    rmSync(copy, { recursive: true, force: true });
    await store.write({ relay_1: 'new' });
    const { store: after, loaded } = await open({}, copy);
    expect(loaded).toMatchObject({ damaged: [] });
    const found = step === 'renamed' || step === 'folder-synced' ? 'new' : 'old';
    expect(await after.read(['relay_1'])).toEqual({ ok: true, values: { relay_1: found } });
    expect(await after.write({ relay_1: 'next' })).toMatchObject({ outcome: { ok: true } });
  });

  it('is read from the copy from before where its file is damaged, which is told', async () => {
    put('sections/relay_1.json', '{"vers');
    put('sections/relay_1.json.previous', { version: 1, value: 'before' });
    put('sections/panel.json', '');
    const { store, loaded } = await open();
    expect(loaded).toMatchObject({ from: 'empty', trouble: null });
    expect(loaded.damaged.toSorted((a, b) => a.section.localeCompare(b.section))).toEqual([
      { section: 'panel', from: 'empty' },
      { section: 'relay_1', from: 'previous' },
    ]);
    expect(await store.read(['relay_1', 'panel'])).toEqual({ ok: true, values: { relay_1: 'before', panel: null } });
    expect(readFileSync(path('sections/relay_1.json.broken'), 'utf8')).toBe('{"vers');
  });

  it('alone is refused where its file cannot be read at all, without being tried for it again at once', async () => {
    put('sections/history.json', { version: 1, value: 'long' });
    putDocument({ settings: 's' });
    let tries = 0;
    let now = 0;
    let isBroken = true;
    const readText = (file: string): Promise<string> => {
      if (!file.includes('history') || !isBroken) return readFile(file, 'utf8');
      tries += 1;
      return Promise.reject(Object.assign(new Error('x'), { code: 'EISDIRTY' }));
    };
    const { store, loaded } = await open({ readText, elapsed: () => now });
    expect(loaded.damaged).toEqual([{ section: 'history', from: 'unreadable' }]);
    const triesOfStart = tries;
    expect(await store.read(['settings'])).toEqual({ ok: true, values: { settings: 's' } });
    expect(await store.read(['history'])).toEqual({ ok: false, reason: 'unknown' });
    expect(await store.write({ history: 'short' })).toMatchObject({ outcome: { ok: false } });
    expect(await store.write({ settings: 't' })).toMatchObject({ outcome: { ok: true } });
    expect(tries).toBe(triesOfStart);
    expect(json('sections/history.json')).toEqual({ version: 1, value: 'long' });
    isBroken = false;
    now += 300_000;
    expect(await store.read(['history'])).toEqual({ ok: true, values: { history: 'long' } });
  });

  it('is read again as soon as the rights of its file have changed', async () => {
    put('sections/history.json', { version: 1, value: 'long' });
    let isBroken = true;
    const readText = (file: string): Promise<string> =>
      file.includes('history') && isBroken ? Promise.reject(new Error('x')) : readFile(file, 'utf8');
    const { store } = await open({ readText, elapsed: () => 0 });
    isBroken = false;
    expect(await store.read(['history'])).toMatchObject({ ok: false });
    copyFileSync(path('sections/history.json'), path('copy'));
    renameSync(path('copy'), path('sections/history.json'));
    expect(await store.read(['history'])).toEqual({ ok: true, values: { history: 'long' } });
  });
});

describe('the document of an earlier version', () => {
  it('gives each section that has a file to it, and keeps the others', async () => {
    putDocument(earlier);
    const { store } = await open();
    expect(await store.read(all)).toEqual(whole);
    const { history, panel, ...others } = earlier;
    expect(json('state.json')).toEqual({ version: 1, later: 'kept', sections: others });
    expect([json('sections/history.json'), json('sections/panel.json')]).toEqual([
      { version: 1, value: history },
      { version: 1, value: panel },
    ]);
    expect(readdirSync(path('sections')).toSorted()).toEqual(['history.json', 'panel.json']);
  });

  it('loses nothing by a kill at any step of the move, however often it is killed', async () => {
    putDocument(earlier);
    const copies: string[] = [];
    /** Moves the sections of a folder; what a kill at each step would leave is copied first. */
    const moveIn = async (of: string, copyAt: (step: number) => boolean): Promise<number> => {
      let steps = 0;
      await open(
        {
          onStep: () => {
            steps += 1;
            if (!copyAt(steps)) return;
            const copy = join(base, `copy-${copies.length}`);
            cpSync(of, copy, { recursive: true });
            copies.push(copy);
          },
        },
        of,
      );
      return steps;
    };
    const steps = await moveIn(folder, () => true);
    // Two new files and the document, which keeps the one from before.
    expect([steps, copies.length]).toEqual([2 * (WRITE_STEPS.length - 2) + WRITE_STEPS.length, steps]);
    const killed = copies.slice();
    for (const copy of killed) {
      // Killed once more in the middle, in the move that a start after the first kill makes.
      // oxlint-disable-next-line no-await-in-loop -- one start after another
      await moveIn(copy, (step) => step === 7);
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect(await valuesOf(copy), copy).toEqual(whole);
    }
    for (const copy of copies.slice(steps)) {
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect(await valuesOf(copy), copy).toEqual(whole);
      expect(Object.keys((json('state.json', copy) as { sections: object }).sections)).not.toContain('history');
    }
    expect(copies.length).toBeGreaterThan(steps);
  });

  it.each([
    ['a file', 'sections', 'in the way'],
    ['the document', 'state.json.next/x', ''],
  ])('is used as before where the disk refuses %s, until a start can move them', async (_, name, text) => {
    putDocument(earlier);
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(path(name), text);
    const { store } = await open();
    expect(await store.read(all)).toEqual(whole);
    rmSync(path(name === 'sections' ? name : 'state.json.next'), { recursive: true });
    // What is committed meanwhile goes where the section is.
    expect(await store.write({ panel: { version: 1, level: 7 } })).toMatchObject({ outcome: { ok: true } });
    expect(json('state.json')).toMatchObject({ sections: { panel: { level: 7 } } });
    expect(await valuesOf()).toEqual({ ok: true, values: { ...whole.values, panel: { version: 1, level: 7 } } });
    expect(json('sections/panel.json')).toEqual({ version: 1, value: { version: 1, level: 7 } });
  });

  it.each([['state.json.next/x'], ['sections']])(
    'has no older value of a section that is removed after %s stood in the way of its move',
    async (name) => {
      putDocument(earlier);
      mkdirSync(join(folder, name, '..'), { recursive: true });
      writeFileSync(path(name), '');
      const { store } = await open();
      if (name !== 'sections') expect(json('sections/panel.json')).toMatchObject({ value: earlier.panel });
      rmSync(path('state.json.next'), { recursive: true, force: true });
      expect(await store.write({ panel: null })).toMatchObject({ outcome: { ok: true } });
      expect(await store.read(['panel'])).toEqual({ ok: true, values: { panel: null } });
      if (name === 'sections') rmSync(path(name));
      expect(await valuesOf()).toEqual({ ok: true, values: { ...whole.values, panel: null } });
    },
  );

  it('counts for a section that it holds, since an earlier version was in use since', async () => {
    putDocument(earlier);
    await (await open()).store.write({ panel: { level: 1 } });
    // The earlier version knows no file: it starts without, and keeps what comes then.
    const { sections } = json('state.json') as { readonly sections: Record<string, unknown> };
    expect(sections).toMatchObject({
      settings: earlier.settings,
      secrets: earlier.secrets,
      identity: earlier.identity,
    });
    putDocument({ ...sections, panel: { level: 9 } });
    expect(await valuesOf()).toMatchObject({ values: { panel: { level: 9 }, history: earlier.history } });
    expect(await valuesOf()).toMatchObject({ values: { panel: { level: 9 } } });
  });

  it('does not count where it is only the copy from before the move', async () => {
    putDocument(earlier);
    await (await open()).store.write({ panel: { level: 1 } });
    expect(json('state.json.previous')).toMatchObject({ sections: { panel: earlier.panel } });
    writeFileSync(path('state.json'), '{');
    const { store, loaded } = await open();
    expect(loaded).toMatchObject({ from: 'previous', trouble: 'unreadable' });
    expect(await store.read(all)).toEqual({ ok: true, values: { ...whole.values, panel: { level: 1 } } });
  });

  it('is left as it is by an agent that only looks', async () => {
    putDocument(earlier);
    const before = readFileSync(path('state.json'), 'utf8');
    const { store } = await open({ moves: false });
    expect(await store.read(all)).toEqual(whole);
    expect([readFileSync(path('state.json'), 'utf8'), readdirSync(folder)]).toEqual([before, ['state.json']]);
  });
});
