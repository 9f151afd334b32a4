import { describe, expect, it } from 'vitest';
import type { Added, Manifest } from '#machines/install/events.ts';
import { noteAdded, parseManifest } from '#machines/install/manifest.ts';
import { planRemoval } from '#machines/install/removal.ts';
import { removalLines } from '#machines/install/words.ts';

const file = (path: string, before: string | null = null): Added => ({
  kind: 'file',
  path,
  sha256: '0'.repeat(64),
  owner: null,
  before,
});
const added: readonly Added[] = [
  { kind: 'package', name: 'wlopm' },
  { kind: 'group', name: 'i2c' },
  { kind: 'user', name: 'sconce' },
  { kind: 'membership', user: 'sconce', group: 'i2c' },
  { kind: 'folder', path: '/etc/x', owner: null },
  file('/etc/x/a'),
  { kind: 'unit', name: 'sconce-kiosk.service', person: null },
  { kind: 'unit', name: 'sconce.service', person: null },
  { kind: 'given', folder: '/var/lib/sconce', user: 'sconce' },
];
const manifest: Manifest = {
  version: 1,
  shape: 'kiosk',
  user: 'sconce',
  data: '/var/lib/sconce',
  profile: null,
  from: null,
  added,
};
const order = (request: { purge: boolean; packages: boolean }): readonly string[] =>
  planRemoval(manifest, request).map((removal) => (removal.kind === 'entry' ? removal.entry.kind : removal.kind));

describe('taking an installation away', () => {
  it('stops what runs before it takes its files, and forgets the list last', () => {
    expect(order({ purge: false, packages: true })).toEqual([
      'unit',
      'unit',
      'given',
      'file',
      'folder',
      'membership',
      'user',
      'data',
      'group',
      'package',
      'program',
    ]);
    expect(planRemoval(manifest, { purge: false, packages: false })[0]).toMatchObject({
      entry: { name: 'sconce.service' },
    });
  });

  it('leaves packages and settings unless they are asked for, and says so', () => {
    expect(order({ purge: false, packages: false })).not.toContain('package');
    const lines = removalLines(planRemoval(manifest, { purge: false, packages: false }), '/usr/local/lib/sconce', {
      packages: 1,
    }).join('\n');
    expect(lines).toContain('/var/lib/sconce stays');
    expect(lines).toContain('--purge-packages');
    expect(
      removalLines(planRemoval(manifest, { purge: true, packages: true }), '/x', { packages: 0 }).join('\n'),
    ).not.toContain('stays');
  });
});

describe('the list of what was added', () => {
  it('notes everything once, and a file written anew with the copy of the first time', () => {
    const empty: Manifest = { ...manifest, added: [] };
    const twice = [...added, ...added].reduce(noteAdded, empty);
    expect(twice.added).toEqual(added);
    const first = noteAdded(empty, file('/etc/a', '0-a'));
    const again = noteAdded(first, { kind: 'file', path: '/etc/a', sha256: '1'.repeat(64), owner: null, before: null });
    expect(again.added).toEqual([{ kind: 'file', path: '/etc/a', sha256: '1'.repeat(64), owner: null, before: '0-a' }]);
  });

  it('is read back as it was written, and refused when it is not a list', () => {
    expect(parseManifest(JSON.stringify(manifest))).toEqual({ ok: true, value: manifest });
    const { profile: _, ...older } = manifest;
    expect(parseManifest(JSON.stringify(older)), 'an older one').toEqual({ ok: true, value: manifest });
    for (const text of [
      '',
      '{',
      '[]',
      '{"version":2}',
      JSON.stringify({ ...manifest, added: [{ kind: 'shell', command: 'x' }] }),
    ]) {
      expect(parseManifest(text)).toMatchObject({ ok: false, reason: 'damaged' });
    }
  });
});
