import { describe, expect, it } from 'vitest';

import { type JobKind, jobKinds } from '#machines/maintenance/events.ts';
import {
  afterEnd,
  judgeFound,
  longestMessage,
  maintenanceEnded,
  type MaintenanceRecord,
  maintenanceSection,
  readMaintenance,
  type StoredJob,
} from '#machines/maintenance/stored.ts';

const nothing: MaintenanceRecord = { running: null, last: null, lastBackupAt: null };
const job = (kind: JobKind, ordered = false): StoredJob => ({ token: 't', kind, since: 10, ordered, run: 'now' });
const done = { at: 20, message: 'It is done.', result: { status: 'succeeded' } } as const;

describe('the record', () => {
  it('is read as it was written', () => {
    const record: MaintenanceRecord = {
      running: job('restore', true),
      last: {
        kind: 'import',
        since: 1,
        endedAt: 2,
        message: 'Done.',
        result: { status: 'partial', config: { status: 'partial', items: 3, detail: 'One was not taken.' } },
      },
      lastBackupAt: 5,
    };
    expect(readMaintenance(JSON.parse(JSON.stringify(maintenanceSection(record))))).toEqual(record);
  });

  it.each([null, 1, 'x', [], {}, { version: 2 }, { version: 1 }])('is empty for %j', (stored) =>
    expect(readMaintenance(stored)).toEqual(nothing),
  );

  it('loses only the part that cannot be read', () => {
    const stored = { version: 1, running: { kind: 'dance' }, last: 7, lastBackupAt: 5 };
    expect(readMaintenance(stored)).toEqual({ ...nothing, lastBackupAt: 5 });
  });

  it('keeps no sentence beyond its bound', () => {
    const after = afterEnd(nothing, job('import'), { ...done, message: 'x'.repeat(5000) });
    expect(after.last?.message).toHaveLength(longestMessage);
    expect(readMaintenance(maintenanceSection(after))).toEqual(after);
  });
});

describe('the end of a job', () => {
  it.each([
    ['succeeded', 20],
    ['partial', 20],
    ['failed', 3],
    ['skipped', 3],
  ] as const)('of a backup that %s sets when the last was made to %i', (status, at) => {
    const before = { ...nothing, lastBackupAt: 3 };
    expect(afterEnd(before, job('backup'), { ...done, result: { status } }).lastBackupAt).toBe(at);
  });

  it.each(jobKinds.filter((kind) => kind !== 'backup'))('of %s does not', (kind) =>
    expect(afterEnd({ ...nothing, lastBackupAt: 3 }, job(kind), done)).toEqual({
      running: null,
      last: { kind, since: 10, endedAt: 20, message: 'It is done.', result: { status: 'succeeded' } },
      lastBackupAt: 3,
    }),
  );
});

describe('a start that carried out an order', () => {
  it('ends the job that it began as', () => {
    const stored = maintenanceSection({ ...nothing, running: job('restore', true), lastBackupAt: 3 });
    const after = maintenanceEnded(stored, { kind: 'restore', ...done });
    expect(readMaintenance(after)).toMatchObject({
      running: null,
      last: { kind: 'restore', since: 10, endedAt: 20 },
      lastBackupAt: 3,
    });
    expect(maintenanceEnded(after, { kind: 'restore', ...done })).toEqual(after);
  });

  it('notes it also if its beginning was not noted', () =>
    expect(readMaintenance(maintenanceEnded(null, { kind: 'reset', ...done })).last).toMatchObject({ since: 20 }));
});

describe('a job that a start finds', () => {
  it.each([
    ...jobKinds.map((kind): [JobKind, boolean, string, boolean, string] => [
      kind,
      false,
      'now',
      false,
      'was interrupted',
    ]),
    ...jobKinds.map((kind): [JobKind, boolean, string, boolean, string] => [kind, true, 'now', true, '']),
    ['import', false, 'before', false, 'either all new or all as before'],
    ['revision-restore', false, 'before', false, 'either all new or all as before'],
    ['backup', false, 'before', false, 'Make another one'],
    ['restore', false, 'before', false, 'Nothing was changed'],
    ['reset', false, 'before', false, 'Nothing was changed'],
    ['restore', true, 'before', false, 'next start tries again'],
    ['reset', true, 'before', false, 'next start tries again'],
    // The catalogue knows how these ended.
    ['profile-select', false, 'before', true, ''],
    ['profile-select', true, 'before', true, ''],
    ['profile-rollback', true, 'before', true, ''],
  ] as [JobKind, boolean, string, boolean, string][])(
    '%s, ordered: %s, of the run %s, goes on: %s %s',
    (kind, ordered, run, goesOn, words) => {
      const judged = judgeFound({ ...job(kind, ordered), run }, 'now');
      expect(judged.goesOn).toBe(goesOn);
      if (!judged.goesOn) expect(judged.message).toContain(words);
    },
  );
});
