import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { changeSections, type FolderAfterRestore, restoreData } from '#drivers/backup/at-start.ts';
import { isStaged, readStaged, stage, unstage } from '#drivers/backup/staged.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sconce-restore-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const put = (name: string, value: unknown): void => writeFileSync(join(folder, name), JSON.stringify(value));
const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));
const document = (sections: object) => ({ version: 1, sections, of_tomorrow: 1 });
const revision = { id: 'my-panel', revision: 'a'.repeat(64) };
const yamlFile = join('profiles', 'my-panel', `${'a'.repeat(64)}.yaml`);

/** A used panel, with a section in a file of its own and one that cannot be read. */
async function used(): Promise<void> {
  put('state.json.previous', document({ secrets: { mqtt_password: 'hunter2' } }));
  put('state.json', document({ secrets: { mqtt_password: 'hunter2' }, restore: { state: 'ordered' }, screen: 1 }));
  put('entity-filter.json', { accounts: ['old'] });
  mkdirSync(join(folder, 'sections'));
  put('sections/history.json', { version: 1, value: ['before'] });
  writeFileSync(join(folder, 'sections', 'torn.json'), 'torn');
  mkdirSync(join(folder, 'profiles'));
  put('profiles/activation.json', { selection: 'old' });
  await stage(folder, { all: 'of it' }, [{ ...revision, yaml: 'name: mine\n' }]);
}
const after: FolderAfterRestore = {
  sections: (before) => ({ ...before, secrets: { mqtt_password: 'new' }, restore: { state: 'done' }, screen: 2 }),
  filter: () => ({ accounts: ['new'] }),
  activation: () => ({ selection: 'new' }),
  revisions: [revision],
};
const untouched: FolderAfterRestore = { ...after, filter: () => 'keep', activation: () => 'keep', revisions: [] };
const restoredSections = {
  secrets: { mqtt_password: 'new' },
  restore: { state: 'done' },
  screen: 2,
  history: ['before'],
};
const everything = (): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.name} ${readFileSync(join(entry.parentPath, entry.name), 'utf8')}`)
    .toSorted()
    .join('\n');

describe('a restore at a start', () => {
  it('puts every file in its place, with the document as one', async () => {
    await used();
    expect(await restoreData(folder, after)).toEqual({ done: true });
    expect(read('state.json')).toEqual(document(restoredSections));
    expect(read('state.json.previous')).toEqual(document(restoredSections));
    expect(read('entity-filter.json')).toEqual({ accounts: ['new'] });
    expect(read('profiles/activation.json')).toEqual({ selection: 'new' });
    expect(readFileSync(join(folder, yamlFile), 'utf8')).toBe('name: mine\n');
    // The section is in the document now; what could not be read is left to the store.
    expect(readdirSync(join(folder, 'sections'))).toEqual(['torn.json']);
    expect(everything()).not.toContain('hunter2');
  });

  it('leaves what is kept', async () => {
    await used();
    expect(await restoreData(folder, untouched)).toEqual({ done: true });
    expect(read('entity-filter.json')).toEqual({ accounts: ['old'] });
    expect(read('profiles/activation.json')).toEqual({ selection: 'old' });
    expect(existsSync(join(folder, yamlFile))).toBe(false);
  });

  it('has the same result where it was interrupted at any of its files', async () => {
    await used();
    // Each of these is in the way of one rename.
    for (const name of [yamlFile, 'profiles/activation.json']) {
      rmSync(join(folder, name), { force: true });
      mkdirSync(join(folder, name, 'x'), { recursive: true });
      // oxlint-disable-next-line no-await-in-loop -- one after another
      expect(await restoreData(folder, after)).toMatchObject({ done: false, begun: true });
      expect(read('state.json')).toMatchObject({ sections: { restore: { state: 'ordered' }, history: ['before'] } });
      rmSync(join(folder, name), { recursive: true });
    }
    expect(await restoreData(folder, after)).toEqual({ done: true });
    expect(read('state.json')).toEqual(document(restoredSections));
    expect(read('entity-filter.json')).toEqual({ accounts: ['new'] });
    expect(read('profiles/activation.json')).toEqual({ selection: 'new' });
    expect(readFileSync(join(folder, yamlFile), 'utf8')).toBe('name: mine\n');
  });

  it.each(['next-filter.json', 'next-activation.json', 'next-state.json'])(
    'changes nothing where the disk refuses %s',
    async (name) => {
      await used();
      mkdirSync(join(folder, 'restore', name));
      const before = everything();
      const refused = await restoreData(folder, after);
      expect(refused).toMatchObject({ done: false, begun: false });
      expect(existsSync(join(folder, yamlFile))).toBe(false);
      rmSync(join(folder, 'restore'), { recursive: true });
      const kept = before.split('\n').filter((line) => !line.startsWith('plan.json') && !line.startsWith('aaaa'));
      expect(everything().split('\n')).toEqual(kept.filter((line) => !line.includes('name: mine') && line !== ''));
    },
  );

  it('changes nothing without a document that can be read', async () => {
    await used();
    for (const name of ['state.json', 'state.json.previous']) writeFileSync(join(folder, name), 'torn');
    expect(await restoreData(folder, after)).toEqual({ done: false, code: 'unreadable', begun: false });
    expect(read('entity-filter.json')).toEqual({ accounts: ['old'] });
  });
});

describe('a restore that is given up', () => {
  it('replaces only the sections that say so', async () => {
    await used();
    expect(await changeSections(folder, ({ history }) => ({ restore: 'failed', history }))).toBeNull();
    expect(read('state.json')).toMatchObject({ sections: { restore: 'failed', screen: 1, history: ['before'] } });
    expect(readdirSync(join(folder, 'sections'))).toContain('history.json');
  });

  it('gives the code of a disk that refuses', async () => {
    await used();
    rmSync(join(folder, 'state.json'));
    rmSync(join(folder, 'state.json.previous'));
    expect(await changeSections(folder, () => ({}))).toBe('unreadable');
  });
});

describe('what is staged', () => {
  it('is read again by its digest alone', async () => {
    const staged = await stage(folder, { a: 1 }, []);
    if (!staged.ok) throw new Error(staged.code);
    expect(isStaged(folder)).toBe(true);
    expect(readStaged(folder, staged.digest)).toEqual({ a: 1 });
    expect(readStaged(folder, '0'.repeat(64))).toBeUndefined();
    put('restore/plan.json', { a: 2 });
    expect(readStaged(folder, staged.digest)).toBeUndefined();
    await unstage(folder);
    expect(isStaged(folder)).toBe(false);
    expect(readStaged(folder, staged.digest)).toBeUndefined();
  });

  it('replaces what an earlier request staged, and is closed to others', async () => {
    await stage(folder, { a: 1 }, [{ ...revision, yaml: 'x' }]);
    await stage(folder, { a: 2 }, []);
    expect(readdirSync(join(folder, 'restore'))).toEqual(['plan.json']);
  });

  it('is removed where the disk refuses it', async () => {
    // A name that no file system takes.
    const staged = await stage(folder, { a: 1 }, [{ id: 'x'.repeat(300), revision: 'r', yaml: 'x' }]);
    expect(staged).toEqual({ ok: false, code: 'ENAMETOOLONG' });
    expect(isStaged(folder)).toBe(false);
  });
});
