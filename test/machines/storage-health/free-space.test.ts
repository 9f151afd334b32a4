import { expect, test } from 'vitest';
import type { StorageFacts } from '#machines/storage-health/events.ts';
import { adviseFreeSpace } from '#machines/storage-health/free-space.ts';
import { afterFailure } from '#machines/storage-health/judge-storage.ts';
import { nothingKnown } from '#machines/storage-health/nothing-known.ts';
import { judgeStorage } from '#machines/storage-health/verdict.ts';
import { storageView } from '#machines/storage-health/view.ts';

const short: StorageFacts = { ...nothingKnown, pressure: 'critical' };
const full = afterFailure(nothingKnown, 'ENOSPC', 1);

test.each([
  [{ ...short, large: [{ holds: 'journal', bytes: 1.24e9 }] }, 'The system’s log takes 1.2 GB.', 'journalctl'],
  [
    { ...full, large: [{ holds: 'packages', bytes: 3.4e8 }] },
    'Downloaded installation files take 340 MB.',
    'apt-get clean',
  ],
  [
    { ...short, pressure: 'warning', large: [{ holds: 'crashes', bytes: 1e9 }] },
    'Memory dumps of crashed programs take 1.0 GB.',
    '-delete',
  ],
  [{ ...short, large: [{ holds: 'journal', bytes: 4e7 }] }, '', 'sudo du -xh'],
  [full, '', 'sudo du -xh'],
] as const satisfies readonly (readonly [StorageFacts, string, string])[])(
  '%j: what fills the disk, and the command',
  (facts, words, command) => {
    const advice = adviseFreeSpace(facts);
    expect(advice?.words).toBe(words);
    expect(advice?.fix.command).toContain(command);
    const verdict = judgeStorage({ facts, health: storageView(facts) });
    expect(verdict.fix).toEqual(advice?.fix);
    expect(verdict.detail).toContain(words);
    expect(verdict.detail).not.toMatch(/ $| {2}/);
  },
);

test.each([
  { ...nothingKnown, pressure: 'healthy' },
  { ...nothingKnown, checkedAt: 1 },
  afterFailure({ ...short, large: [{ holds: 'journal', bytes: 1e10 }] }, 'EIO', 1),
] as const satisfies readonly StorageFacts[])('%j needs no space', (facts) => {
  expect(adviseFreeSpace(facts)).toBeNull();
});
