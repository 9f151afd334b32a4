import { sectionWords } from '../kit/section-words.ts';
import type { FailureKind, StorageFacts, StorageHealthObject } from './events.ts';
import { usedPercent } from './pressure.ts';

type Words = Pick<StorageHealthObject, 'summary' | 'action'>;

const FAILURES: Readonly<Record<FailureKind, Words>> = {
  storage_full: {
    summary: 'The last save failed because the disk is full. What was saved before is kept.',
    action: 'Free some space on the disk that holds the data folder, then save again.',
  },
  io: {
    summary: 'The last save failed because the disk could not be written. What was saved before is kept.',
    action: 'Check that the data folder is writable and the disk is healthy, then save again.',
  },
  corruption: {
    summary: 'The file with the settings on the disk is damaged.',
    action: 'Save the settings again; if the file is damaged once more, replace the disk or memory card.',
  },
  busy: {
    summary: 'The last save failed because the disk was busy. What was saved before is kept.',
    action: 'Save again.',
  },
  unknown: {
    summary: 'The last save failed for an unknown reason. What was saved before is kept.',
    action: 'Save again; if it fails once more, check the log.',
  },
};

const PRESSURES: Readonly<Record<StorageFacts['pressure'], Words>> = {
  unchecked: {
    summary: 'The free space of the data folder is not known.',
    action: 'Check that the data folder exists and can be read; Sconce looks again every 5 minutes.',
  },
  healthy: { summary: 'There is enough free space, and saving works.', action: 'none' },
  warning: {
    summary: 'The disk that holds the data folder is getting full.',
    action: 'Free some space on it before saves fail.',
  },
  critical: {
    summary: 'The disk that holds the data folder is almost full.',
    action: 'Free some space on it now: the next save may fail.',
  },
};

const sectionFailure = (sections: readonly string[]): Words => ({
  summary: `What is kept of ${sectionWords(sections)} is damaged on the disk. The settings are not affected.`,
  action: 'It is rewritten with its next change; if it is damaged again, replace the disk or memory card.',
});

function wordsOf({ held, pressure }: StorageFacts): Words {
  if (held === null) return PRESSURES[pressure];
  return held.sections.length > 0 ? sectionFailure(held.sections) : FAILURES[held.kind];
}

/** The `storage_health` object of the status document. */
export function storageView(facts: StorageFacts): StorageHealthObject {
  const words = wordsOf(facts);
  return {
    state: facts.held === null ? facts.pressure : 'database_failure',
    pressure_state: facts.pressure,
    usable_bytes: facts.usableBytes,
    total_bytes: facts.totalBytes,
    used_percent:
      facts.usableBytes === null || facts.totalBytes === null
        ? null
        : usedPercent({ usableBytes: facts.usableBytes, totalBytes: facts.totalBytes }),
    database_bytes: facts.documentBytes === null ? null : facts.documentBytes + (facts.sizes?.sectionsBytes ?? 0),
    sidecar_bytes: facts.sizes?.copiesBytes ?? null,
    profiles_bytes: facts.sizes?.profilesBytes ?? null,
    other_bytes: facts.sizes?.otherBytes ?? null,
    growth_bytes_per_day: facts.growth.bytesPerDay,
    growth_since: facts.growth.measured[0]?.at ?? null,
    quick_check: facts.check,
    quick_checked_at: facts.quickCheckedAt,
    failure: facts.held?.kind ?? null,
    checked_at: facts.checkedAt,
    summary: words.summary,
    action: words.action,
  };
}
