import { describe, expect, it } from 'vitest';

import type { StorageFacts, StorageInspection } from '#machines/storage-health/events.ts';
import { afterFailure, afterInspection, afterSuccess } from '#machines/storage-health/judge-storage.ts';
import { nothingKnown } from '#machines/storage-health/nothing-known.ts';
import { failureKind } from '#machines/storage-health/hysteresis.ts';
import { nextPressure, type Pressure, usedPercent } from '#machines/storage-health/pressure.ts';
import { storageView } from '#machines/storage-health/view.ts';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

describe('nextPressure', () => {
  it.each<[string, Pressure, number, number, Pressure]>([
    ['plenty', 'unchecked', 8 * GIB, 16 * GIB, 'healthy'],
    ['512 MiB free enters warning', 'healthy', 512 * MIB, 4 * GIB, 'warning'],
    ['a byte more does not', 'healthy', 512 * MIB + 1, 4 * GIB, 'healthy'],
    ['90 % used enters warning', 'healthy', 10 * GIB, 100 * GIB, 'warning'],
    ['just below does not', 'healthy', 10.1 * GIB, 100 * GIB, 'healthy'],
    ['warning stays below 768 MiB', 'warning', 767 * MIB, 4 * GIB, 'warning'],
    ['warning is left at 768 MiB', 'warning', 768 * MIB, 4 * GIB, 'healthy'],
    ['warning stays above 85 %', 'warning', 14 * GIB, 100 * GIB, 'warning'],
    ['warning is left at 85 %', 'warning', 15 * GIB, 100 * GIB, 'healthy'],
    ['clear by space alone is not enough', 'warning', 11 * GIB, 100 * GIB, 'warning'],
    ['128 MiB free enters critical', 'healthy', 128 * MIB, 1 * GIB, 'critical'],
    ['97 % used enters critical', 'warning', 3 * GIB, 100 * GIB, 'critical'],
    ['critical stays below 256 MiB', 'critical', 255 * MIB, 1 * GIB, 'critical'],
    ['critical steps down to warning at 256 MiB', 'critical', 256 * MIB, 1 * GIB, 'warning'],
    ['critical stays above 94 %', 'critical', 5.9 * GIB, 100 * GIB, 'critical'],
    ['critical steps down to warning inside its band', 'critical', 12 * GIB, 100 * GIB, 'warning'],
    ['critical clears at once when warning is clear too', 'critical', 50 * GIB, 100 * GIB, 'healthy'],
    ['between the bands at the first inspection', 'unchecked', 600 * MIB, 4 * GIB, 'healthy'],
    ['an empty file system', 'healthy', 0, 0, 'critical'],
  ])('%s', (_, previous, usableBytes, totalBytes, expected) => {
    expect(nextPressure(previous, { usableBytes, totalBytes })).toBe(expected);
  });

  it.each<[Pressure, Pressure]>([
    ['unchecked', 'unchecked'],
    ['healthy', 'unchecked'],
    ['warning', 'warning'],
    ['critical', 'critical'],
  ])('an unknown capacity after %s gives %s', (previous, expected) => {
    expect(nextPressure(previous, null)).toBe(expected);
  });

  it('tells use with one decimal', () => {
    expect(usedPercent({ usableBytes: 1 * GIB, totalBytes: 3 * GIB })).toBe(66.7);
  });
});

describe('failureKind', () => {
  it.each([
    ['ENOSPC', 'storage_full'],
    ['EDQUOT', 'storage_full'],
    ['EIO', 'io'],
    ['EROFS', 'io'],
    ['EACCES', 'io'],
    ['unreadable', 'corruption'],
    ['EBUSY', 'busy'],
    ['anything else', 'unknown'],
  ])('%s is %s', (code, kind) => {
    expect(failureKind(code)).toBe(kind);
  });
});

const roomy: StorageInspection = {
  usableBytes: 8 * GIB,
  totalBytes: 16 * GIB,
  documentBytes: 900,
  sizes: null,
  check: 'ok',
  damaged: [],
};
const full: StorageInspection = { ...roomy, usableBytes: 0 };

type Step = ['inspected', StorageInspection, number] | ['failed', string, number] | ['saved', number];
const after = (...steps: readonly Step[]): StorageFacts =>
  steps.reduce<StorageFacts>((facts, step) => {
    if (step[0] === 'inspected') return afterInspection(facts, step[1], step[2]);
    return step[0] === 'failed' ? afterFailure(facts, step[1], step[2]) : afterSuccess(facts, step[1]);
  }, nothingKnown);

describe('the held failure of a failed save', () => {
  it.each<[string, readonly Step[], string | null]>([
    [
      'a failure latches',
      [
        ['inspected', roomy, 1],
        ['failed', 'EIO', 5],
      ],
      'io',
    ],
    [
      'a save alone does not clear it',
      [
        ['failed', 'EIO', 5],
        ['saved', 6],
      ],
      'io',
    ],
    [
      'a clean check alone does not',
      [
        ['failed', 'EIO', 5],
        ['inspected', roomy, 6],
      ],
      'io',
    ],
    [
      'a clean check and then a save do',
      [
        ['failed', 'EIO', 5],
        ['inspected', roomy, 6],
        ['saved', 7],
      ],
      null,
    ],
    [
      'a save before the check does not count',
      [
        ['failed', 'EIO', 5],
        ['saved', 6],
        ['inspected', roomy, 7],
      ],
      'io',
    ],
    [
      'a check that began before the failure does not count',
      [
        ['failed', 'EIO', 5],
        ['inspected', roomy, 5],
        ['saved', 7],
      ],
      'io',
    ],
    [
      'an inspection of the space alone is no check',
      [
        ['failed', 'EIO', 5],
        ['inspected', { ...roomy, check: 'not_run' }, 6],
        ['saved', 7],
      ],
      'io',
    ],
    [
      'a failed check is none either',
      [
        ['failed', 'EIO', 5],
        ['inspected', { ...roomy, check: 'failed' }, 6],
        ['saved', 7],
      ],
      'io',
    ],
    [
      'a full disk waits for space too',
      [
        ['failed', 'ENOSPC', 5],
        ['inspected', full, 6],
        ['saved', 7],
      ],
      'storage_full',
    ],
    [
      'and is over once there is some',
      [
        ['failed', 'ENOSPC', 5],
        ['inspected', full, 6],
        ['saved', 7],
        ['inspected', roomy, 8],
      ],
      null,
    ],
    [
      'a second failure starts over',
      [
        ['failed', 'EIO', 5],
        ['inspected', roomy, 6],
        ['failed', 'ENOSPC', 7],
        ['saved', 8],
      ],
      'storage_full',
    ],
    ['a document that does not parse is corruption', [['inspected', { ...roomy, check: 'failed' }, 1]], 'corruption'],
    [
      'saved anew and checked, it is over',
      [
        ['inspected', { ...roomy, check: 'failed' }, 1],
        ['saved', 2],
        ['inspected', roomy, 3],
        ['saved', 4],
      ],
      null,
    ],
    ['an unknown code stays unknown', [['failed', 'EWHATEVER', 5]], 'unknown'],
  ])('%s', (_, steps, expected) => {
    expect(storageView(after(...steps)).failure).toBe(expected);
  });
});

describe('projectStorage', () => {
  it('knows nothing before the first inspection', () => {
    expect(storageView(nothingKnown)).toMatchObject({
      state: 'unchecked',
      usable_bytes: null,
      used_percent: null,
      checked_at: null,
      quick_check: 'not_run',
    });
  });

  it('shows a healthy disk with nothing to do', () => {
    expect(storageView(after(['inspected', roomy, 9]))).toEqual({
      state: 'healthy',
      pressure_state: 'healthy',
      usable_bytes: 8 * GIB,
      total_bytes: 16 * GIB,
      used_percent: 50,
      database_bytes: 900,
      sidecar_bytes: null,
      profiles_bytes: null,
      other_bytes: null,
      growth_bytes_per_day: null,
      growth_since: null,
      quick_check: 'ok',
      quick_checked_at: 9,
      failure: null,
      checked_at: 9,
      summary: 'There is enough free space, and saving works.',
      action: 'none',
    });
  });

  it('puts a failure above the pressure, which it keeps beside it', () => {
    expect(storageView(after(['inspected', full, 1], ['failed', 'ENOSPC', 5]))).toMatchObject({
      state: 'database_failure',
      pressure_state: 'critical',
      failure: 'storage_full',
    });
  });

  it('says of a damaged section what it keeps, and of a damaged document that it has the settings', () => {
    const damaged = { ...roomy, check: 'failed', damaged: ['history', 'panel_2'] } as const;
    const facts = after(['inspected', damaged, 1]);
    expect(storageView(facts)).toMatchObject({
      state: 'database_failure',
      failure: 'corruption',
      summary:
        'What is kept of the history and the level of the screen is damaged on the disk. The settings are not affected.',
      action: 'It is rewritten with its next change; if it is damaged again, replace the disk or memory card.',
    });
    const worse = storageView(afterInspection(facts, { ...damaged, damaged: [] }, 2));
    expect(worse.summary).toBe('The file with the settings on the disk is damaged.');
    const other = afterFailure(facts, 'EIO', 3);
    expect(storageView(other).summary).toContain('could not be written');
  });

  it('shows the sizes of what the agent keeps, and a folder that could not be measured as unknown', () => {
    const sizes = { sectionsBytes: 70, copiesBytes: 900, profilesBytes: 4_000, otherBytes: 30 };
    const facts = after(['inspected', { ...roomy, sizes }, 1]);
    expect(storageView(facts)).toMatchObject({
      database_bytes: 970,
      sidecar_bytes: 900,
      profiles_bytes: 4_000,
      other_bytes: 30,
      growth_bytes_per_day: null,
      growth_since: 1,
    });
    expect(storageView(afterInspection(facts, roomy, 2))).toMatchObject({
      sidecar_bytes: null,
      profiles_bytes: null,
      other_bytes: null,
    });
  });

  it('tells when the document was last checked, not when the space was last inspected', () => {
    expect(storageView(after(['inspected', roomy, 1], ['inspected', { ...roomy, check: 'not_run' }, 2]))).toMatchObject(
      {
        quick_checked_at: 1,
        checked_at: 2,
      },
    );
  });

  it('keeps the last check and size through an inspection of the space alone', () => {
    const facts = after(
      ['inspected', roomy, 1],
      [
        'inspected',
        { usableBytes: 9 * GIB, totalBytes: 16 * GIB, documentBytes: null, sizes: null, check: 'not_run', damaged: [] },
        2,
      ],
    );
    expect(storageView(facts)).toMatchObject({
      quick_check: 'ok',
      database_bytes: 900,
      usable_bytes: 9 * GIB,
      checked_at: 2,
    });
  });
});
