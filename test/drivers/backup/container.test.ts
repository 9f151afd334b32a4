import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { type ReadContainer, readContainer, writeContainer } from '#drivers/backup/container.ts';
import type { ArchiveRefusal } from '#machines/backup/events.ts';
import { archiveEntries, MOST_ARCHIVE_BYTES, WAKE_WORDS } from '#machines/kit/archive-entries.ts';
import { amount } from '#test/fakes/amount.ts';
import { sequence } from '#test/fakes/sequence.ts';

import { type HandEnd, type HandEntry, zipBytes } from './zip-bytes.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sconce-container-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const manifest: HandEntry = { name: 'manifest.json', content: '{"a":1}' };
const state: HandEntry = { name: 'state/panel.json', content: '{"b":2}'.repeat(100) };

function readBytes(bytes: Uint8Array): Promise<ReadContainer> {
  const path = join(folder, 'given.zip');
  writeFileSync(path, bytes);
  return readContainer(path);
}

const text = (content: Uint8Array | undefined): string => Buffer.from(content ?? []).toString('utf8');

describe('a container', () => {
  it('returns what was written, with the manifest first, and only its owner may read it', async () => {
    const path = join(folder, 'made.zip');
    const content = Buffer.from('{"c":"ä"}'.repeat(5000));
    const written = [
      { name: 'state/panel.json', content: new Uint8Array(content) },
      { name: 'manifest.json', content: Buffer.from('{}') },
    ];
    const bytes = await writeContainer(path, written);
    expect([statSync(path).size, statSync(path).mode & 0o777]).toEqual([bytes, 0o600]);
    const read = await readContainer(path);
    expect('entries' in read && [...read.entries.keys()]).toEqual(['manifest.json', 'state/panel.json']);
    expect('entries' in read && text(read.entries.get('state/panel.json'))).toBe(content.toString('utf8'));
    await writeContainer(join(folder, 'again.zip'), written);
    expect(readFileSync(join(folder, 'again.zip'))).toEqual(readFileSync(path));
  });

  it('is written to no existing file, and none stays of one that was not written', async () => {
    const path = join(folder, 'made.zip');
    writeFileSync(path, 'mine');
    await expect(writeContainer(path, [])).rejects.toMatchObject({ code: 'EEXIST' });
    expect(readFileSync(path, 'utf8')).toBe('mine');
    await expect(writeContainer(join(folder, 'none/made.zip'), [])).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(readContainer(join(folder, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it.each<[string, readonly HandEntry[]]>([
    ['stored as it is', [manifest, { ...state, method: 0 }]],
    ['with sizes after the content', [manifest, { ...state, flags: 0x0808, local: { size: 0 } }]],
    ['from a system without rights', [{ ...manifest, attributes: 0 }, state]],
  ])('is read, too, if it is %s', async (_, entries) => {
    const read = await readBytes(zipBytes(entries));
    expect('entries' in read && [...read.entries].map(([name, content]) => [name, text(content)])).toEqual(
      entries.map(({ name, content }) => [name, content]),
    );
  });

  it('lists what it does not know, without inflating it', async () => {
    const others = [WAKE_WORDS, 'entity/filter-ids.txt'].map((name) => ({ name, content: 'x'.repeat(100), sum: 1 }));
    const read = await readBytes(zipBytes([manifest, ...others]));
    expect('entries' in read && [...read.entries].map(([name, content]) => [name, content.length])).toEqual([
      ['manifest.json', 7],
      [WAKE_WORDS, 0],
      ['entity/filter-ids.txt', 0],
    ]);
  });
});

const zip64Field = Buffer.concat([Buffer.from([1, 0, 16, 0]), Buffer.alloc(16, 1)]);
const zip64Locator = Buffer.concat([Buffer.from('PK\u0006\u0007', 'latin1'), Buffer.alloc(16)]);
const link = 0o120777 * 0x10000;
const most = archiveEntries['state/panel.json'];
const named = (name: string): readonly HandEntry[] => [manifest, { name, content: 'x' }];

describe('a container is refused', () => {
  it.each<[string, readonly HandEntry[], HandEnd?, ArchiveRefusal?]>([
    ['that climbs out', named('../state/panel.json')],
    ['that climbs out further on', named('state/../../panel.json')],
    ['that climbs out by backslashes', named('..\\panel.json')],
    ['with an absolute name', named('/etc/passwd')],
    ['with a drive', named('c:/panel.json')],
    ['with capitals', named('State/panel.json')],
    ['with a space', named('state/panel .json')],
    ['with a NUL', named('state/panel.json\0.txt')],
    ['with an empty segment', named('state//panel.json')],
    ['with a dot for a segment', named('state/./panel.json')],
    ['without a name', named('')],
    ['with too long a name', named(`${'a'.repeat(128)}b`)],
    ['with a folder', [manifest, { name: 'state/' }]],
    ['with a folder under a plain name', [manifest, { ...state, attributes: 0o040755 * 0x10000 }]],
    ['with a folder of DOS', [manifest, { ...state, attributes: 0x10 }]],
    ['with a link', [manifest, { ...state, attributes: link }]],
    ['with a device', [manifest, { ...state, attributes: 0o020666 * 0x10000 }]],
    ['with a link for a manifest', [{ ...manifest, attributes: link }, state]],
    ['with an entry twice', [manifest, state, state]],
    ['with its manifest twice', [manifest, manifest]],
    ['without a manifest', [state]],
    ['with its manifest last', [state, manifest]],
    ['without an entry', []],
    ['with ten entries', [manifest, ...Array.from({ length: 9 }, (_, index) => ({ name: `a${index}` }))]],
    ['with an encrypted entry', [manifest, { ...state, flags: 1 }]],
    ['with a strongly encrypted entry', [manifest, { ...state, flags: 0x41 }]],
    ['with a masked directory', [manifest, { ...state, flags: 0x2000 }]],
    ['packed in another way', [manifest, { ...state, method: 12 }]],
    ['with patched content', [manifest, { ...state, flags: 0x20 }]],
    ['larger than it may be', [manifest, { ...state, size: most + 1 }], {}, 'too-large'],
    ['with a bomb', [manifest, { ...state, content: 'x'.repeat(most + 1) }], {}, 'too-large'],
    ['with a bomb that says it is small', [manifest, { ...state, content: 'x'.repeat(most + 1), size: 10 }]],
    ['with less than it says', [manifest, { ...state, size: 800 }]],
    ['with more than it says', [manifest, { ...state, size: 600 }]],
    ['with a stored entry of two sizes', [manifest, { ...state, method: 0, size: 600 }]],
    ['with another sum', [manifest, { ...state, sum: 1 }]],
    ['with content beyond its end', [manifest, { ...state, packed: 100_000 }]],
    ['whose entry has another size', [manifest, { ...state, local: { size: 1 } }]],
    ['whose entry has no size, unannounced', [manifest, { ...state, local: { size: 0 } }]],
    ['whose entry has another name', [manifest, { ...state, local: { name: 'state/other.json' } }]],
    ['whose entry has other flags', [manifest, { ...state, local: { flags: 0x0800 } }]],
    ['whose entries share their bytes', [manifest, { ...state, offset: 0, local: {} }]],
    ['whose entry begins nowhere', [manifest, { ...state, offset: 900_000 }]],
    ['with sizes of zip64', [manifest, { ...state, size: 0xffffffff, extra: zip64Field }]],
    ['with a field of zip64 for nothing', [manifest, { ...state, extra: zip64Field }]],
    ['with an extra field that does not end', [manifest, { ...state, extra: Buffer.from([9, 9, 99, 0]) }]],
    ['with an end of zip64', [manifest, state], { gap: zip64Locator }],
    ['with entries without number', [manifest, state], { count: 0xffff }],
    ['with fewer entries than it says', [manifest, state], { count: 3 }],
    ['with more entries than it says', [manifest, state], { count: 1 }],
    ['with another number on this disk', [manifest, state], { here: 1 }],
    ['of several disks', [manifest, state], { disk: 1 }],
    ['with a comment', [manifest, state], { comment: 'PK\u0005\u0006 and more, long enough' }],
    ['with something behind it', [manifest, state], { after: Buffer.from('more') }],
    ['with a gap before its end', [manifest, state], { gap: Buffer.from('more') }],
    ['whose directory is elsewhere', [manifest, state], { offset: 0 }],
  ])('%s', async (_, entries, end = {}, refused = 'bad-archive') => {
    const read = await readBytes(zipBytes(entries, end));
    expect(read).toEqual({ refused, message: expect.stringMatching(/^The backup is .+\.$/) as unknown });
  });

  it.each<[string, Uint8Array, ArchiveRefusal]>([
    ['nothing', new Uint8Array(), 'bad-archive'],
    ['a few bytes', Buffer.from('PK\u0003\u0004'), 'bad-archive'],
    ['a picture', Buffer.from('\u0089PNG\r\n\u001a\n'.repeat(50), 'latin1'), 'bad-archive'],
    ['an encrypted one', Buffer.from('HPB1'.repeat(50)), 'passphrase-required'],
    ['a bundle of the configuration', Buffer.from('{"kind":"sconce-config"}'), 'another-product'],
    ['another JSON file', Buffer.from('\n  { }'), 'another-product'],
    ['only the end', Buffer.concat([Buffer.from('PK\u0003\u0004'), zipBytes([])]), 'bad-archive'],
    ['half of one', zipBytes([manifest, state]).subarray(0, 90), 'bad-archive'],
  ])('that is %s', async (_, bytes, refused) => {
    expect(await readBytes(bytes)).toMatchObject({ refused });
  });

  it('that is larger than an upload, before anything of it is read', async () => {
    expect(await readBytes(Buffer.alloc(MOST_ARCHIVE_BYTES + 1))).toMatchObject({ refused: 'too-large' });
  });
});

/** A whole archive with one to three bytes changed, cut out or put in. */
function mutated(bytes: Buffer, seed: number): Buffer {
  const random = sequence(seed);
  let now = bytes;
  for (let left = 1 + random(3); left > 0; left -= 1) {
    const at = random(now.length);
    const [kind, length] = [random(4), 1 + random(24)];
    const before = now.subarray(0, at);
    if (kind === 0) now = Buffer.concat([before, now.subarray(at + length)]);
    else if (kind === 1) now = Buffer.concat([before, Buffer.alloc(length, random(256)), now.subarray(at)]);
    else {
      now = Buffer.from(now);
      now[at] = kind === 2 ? random(256) : (now[at] ?? 0) ^ (1 << random(8));
    }
  }
  return now;
}

describe('a mutated container', () => {
  it('is refused as a value, or has nothing but what was written', async () => {
    const whole = zipBytes([
      manifest,
      state,
      { name: 'entity/filter.json', content: '[1,2,3]'.repeat(400), method: 0 },
    ]);
    const original = await readBytes(whole);
    const outcomes = new Set<string>();
    for (let seed = 1; seed <= amount(100, 1000); seed += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one file
      const read = await readBytes(mutated(whole, seed));
      if ('refused' in read) outcomes.add(read.refused);
      else {
        outcomes.add('read');
        // A name may have become one that is not read.
        for (const [name, content] of read.entries)
          if (content.length > 0)
            expect([seed, content]).toEqual([seed, 'entries' in original && original.entries.get(name)]);
      }
    }
    expect(outcomes).toContain('bad-archive');
  });
});
