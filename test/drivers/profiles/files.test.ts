import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { readRecordAtStart, readRevisionAtStart, writeRecordAtStart } from '#drivers/profiles/at-start.ts';
import { profileFiles } from '#drivers/profiles/files.ts';
import { profileIdPattern, revisionPattern } from '#machines/profile-catalog/activation.ts';

let data = '';
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'sconce-catalogue-'));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const bytes = new TextEncoder().encode('schema: 1\n');
function make() {
  const files = profileFiles(data, { id: profileIdPattern, revision: revisionPattern });
  const name = { id: 'one.panel', revision: files.revisionOf(bytes) };
  return { files, name, file: join(data, 'profiles', name.id, `${name.revision}.yaml`) };
}

describe('the files of the catalogue', () => {
  it('keep exact bytes, closed to others, and give them back now and at a start', async () => {
    const { files, name, file } = make();
    expect(await files.list()).toEqual([]);
    expect(await files.save(name, bytes)).toBeNull();
    expect([
      statSync(file).mode & 0o777,
      statSync(join(data, 'profiles', name.id)).mode & 0o777,
      statSync(join(data, 'profiles')).mode & 0o777,
    ]).toEqual([0o600, 0o700, 0o700]);
    expect(await files.list()).toEqual([name]);
    for (const found of [await files.read(name), readRevisionAtStart(data, name)])
      expect(found.state === 'read' && Buffer.compare(found.value, bytes)).toBe(0);
    expect(readdirSync(join(data, 'profiles', name.id))).toHaveLength(1);
  });
  it('tell damage: bytes that were changed, cut off or grown, a folder in their place', async () => {
    const { files, name, file } = make();
    await files.save(name, bytes);
    for (const damage of [
      () => truncateSync(file, 3),
      () => writeFileSync(file, 'schema: 2\n'),
      () => writeFileSync(file, Buffer.alloc(200_000, 97)),
    ]) {
      damage();
      expect([(await files.read(name)).state, readRevisionAtStart(data, name).state]).toEqual(['damaged', 'damaged']);
    }
    rmSync(file);
    expect([(await files.read(name)).state, readRevisionAtStart(data, name).state]).toEqual(['absent', 'absent']);
    mkdirSync(file);
    expect([(await files.read(name)).state, readRevisionAtStart(data, name).state]).toEqual(['damaged', 'damaged']);
  });
  it('pass over what is no revision, and what a killed write left behind', async () => {
    const { files, name, file } = make();
    await files.save(name, bytes);
    writeFileSync(`${file}.next`, 'half');
    writeFileSync(join(data, 'profiles', 'one.panel', 'notes.txt'), 'x');
    mkdirSync(join(data, 'profiles', 'Not an id'));
    expect(await files.list()).toEqual([name]);
    expect(await files.save(name, bytes)).toBeNull();
    expect(readdirSync(join(data, 'profiles', 'one.panel')).toSorted()).toEqual(
      [`${name.revision}.yaml`, 'notes.txt'].toSorted(),
    );
  });
  it('delete for good, and twice is once', async () => {
    const { files, name } = make();
    await files.save(name, bytes);
    expect([
      await files.remove(name),
      await files.remove(name),
      await files.list(),
      readdirSync(join(data, 'profiles')),
    ]).toEqual([null, null, [], []]);
  });
  it('replace the record whole, at a start and later', async () => {
    const { files } = make();
    expect(readRecordAtStart(data)).toEqual({ state: 'absent' });
    expect(writeRecordAtStart(data, { a: 1 })).toBe(true);
    expect(files.readRecord()).toEqual({ state: 'read', value: { a: 1 } });
    expect(await files.writeRecord({ a: 2 })).toBeNull();
    expect(readRecordAtStart(data)).toEqual({ state: 'read', value: { a: 2 } });
    writeFileSync(join(data, 'profiles', 'activation.json'), '{"a"');
    expect(readRecordAtStart(data)).toEqual({ state: 'damaged' });
    expect(readFileSync(join(data, 'profiles', 'activation.json'), 'utf8')).toBe('{"a"');
  });
  it('keep the record of a newer version, and use the copy from before it', async () => {
    const { files } = make();
    const put = (name: string, json: object): void => writeFileSync(join(data, 'profiles', name), JSON.stringify(json));
    const read = (name: string): unknown => JSON.parse(readFileSync(join(data, 'profiles', name), 'utf8'));
    mkdirSync(join(data, 'profiles'));
    put('activation.json', { version: 2, later: true });
    expect(readRecordAtStart(data)).toEqual({ state: 'damaged' });
    put('activation.json.v1', { version: 1, generation: 3 });
    expect(files.readRecord()).toEqual({ state: 'read', value: { version: 1, generation: 3 } });
    expect(read('activation.json')).toEqual({ version: 2, later: true });
    expect(await files.writeRecord({ version: 1, generation: 4 })).toBeNull();
    expect([read('activation.json'), read('activation.json.v2')]).toEqual([
      { version: 1, generation: 4 },
      { version: 2, later: true },
    ]);
    put('activation.json', { version: 3 });
    expect(writeRecordAtStart(data, { version: 1, generation: 5 })).toBe(true);
    expect(readdirSync(join(data, 'profiles')).toSorted()).toEqual(
      ['', '.v1', '.v2', '.v3'].map((suffix) => `activation.json${suffix}`),
    );
  });
  it('say so where nothing can be written', async () => {
    const { files, name } = make();
    writeFileSync(join(data, 'profiles'), 'in the way');
    expect(await files.save(name, bytes)).not.toBeNull();
    expect([await files.writeRecord({}), writeRecordAtStart(data, {})]).toEqual(['unknown', false]);
  });
});
