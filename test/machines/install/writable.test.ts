import { describe, expect, it } from 'vitest';

import type { Entry } from '#machines/install/events.ts';
import { otherWriter, writableNotes } from '#machines/install/writable.ts';

const entry = (change: Partial<Entry>): Entry => ({
  path: '/home/anna/sconce/dist/agent.cjs',
  kind: 'file',
  isAbove: false,
  uid: 1000,
  gid: 1000,
  mode: 0o644,
  ...change,
});
const trusted = { uids: [0, 1000], gids: [0, 1000] };

describe('who else can write what is installed', () => {
  it.each<[string, Partial<Entry>, ReturnType<typeof otherWriter>]>([
    ['a file of the caller', {}, null],
    ['a file of root', { uid: 0, gid: 0, mode: 0o664 }, null],
    ['a file of a third user', { uid: 1001 }, 'owner'],
    ['one that its group of one can write', { mode: 0o664 }, null],
    ['one that a shared group can write', { mode: 0o664, gid: 100 }, 'group'],
    ['one that all can write', { mode: 0o646 }, 'everybody'],
    ['a folder that all can write', { kind: 'folder', mode: 0o777 }, 'everybody'],
    ['a sticky one', { kind: 'folder', mode: 0o1777 }, 'everybody'],
    ['a sticky one above', { kind: 'folder', isAbove: true, uid: 0, mode: 0o1777 }, null],
    ['one above that all can write', { kind: 'folder', isAbove: true, uid: 0, mode: 0o777 }, 'everybody'],
    ['a sticky one above of a third user', { kind: 'folder', isAbove: true, uid: 1001, mode: 0o1777 }, 'owner'],
    ['a link', { kind: 'link', mode: 0o777 }, null],
    ['a link of a third user', { kind: 'link', mode: 0o777, uid: 1001 }, 'owner'],
  ])('%s', (_, change, writer) => expect(otherWriter(entry(change), trusted)).toBe(writer));

  it('is told with the first places and what to do, and not at all where it is nobody', () => {
    expect(writableNotes('/x', [entry({}), entry({ uid: 0 })], trusted)).toEqual([]);
    const open = ['/a', '/b', '/c', '/d', '/e'].map((path) => entry({ path, mode: 0o666 }));
    const [first = '', second = ''] = writableNotes('/x', [entry({}), ...open], trusted);
    expect(first).toContain('/a (everyone can write), /b (everyone can write), /c (everyone can write), and 2 more.');
    expect(second).toMatch(/as root.*chmod -R go-w \/x$/);
  });
});
