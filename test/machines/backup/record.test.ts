import { describe, expect, it } from 'vitest';

import { archiveName } from '#machines/backup/name.ts';
import { dueRestore, readRestore, type RestoreRecord, restoreSection } from '#machines/backup/record.ts';

const record: RestoreRecord = { state: 'ordered', by: 'panel', at: 9, digest: 'a'.repeat(64), failure: null };

describe('the stored record of a restore', () => {
  it('is read as it was written', () => {
    expect(readRestore(restoreSection(record))).toEqual(record);
    expect(readRestore(restoreSection({ ...record, state: 'failed', failure: 'ENOSPC' }))).toMatchObject({
      state: 'failed',
      failure: 'ENOSPC',
    });
    expect(restoreSection(null)).toBeNull();
  });

  it('is due only as ordered', () => {
    expect(dueRestore(restoreSection(record))).toEqual(record);
    for (const state of ['done', 'failed'] as const)
      expect(dueRestore(restoreSection({ ...record, state }))).toBeNull();
  });

  it.each([null, undefined, 'x', {}, { ...record, version: 2 }, { version: 1, ...record, digest: '../..' }])(
    'is none in %j',
    (stored) => expect(readRestore(stored)).toBeNull(),
  );
});

describe('the name of a backup’s file', () => {
  it.each([
    ['hall', true, 'hall-backup-2026-11-26.hpb'],
    ['hall', false, 'hall-backup-2026-11-26.zip'],
    ['', true, 'panel-backup-2026-11-26.hpb'],
    ['../Küche "1"', true, 'che1-backup-2026-11-26.hpb'],
  ])('of %j', (id, encrypted, name) => expect(archiveName(id, Date.UTC(2026, 10, 26, 23, 59), encrypted)).toBe(name));
});
