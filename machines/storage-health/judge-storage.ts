import type { EpochMs } from '../kit/units.ts';
import type { StorageFacts, StorageInspection } from './events.ts';
import { afterMeasured } from './growth.ts';
import { afterCleanCheck, afterWrite, failureKind, holdFailure, releaseFailure } from './hysteresis.ts';
import { nextPressure } from './pressure.ts';

function failureAfterInspection(facts: StorageFacts, inspection: StorageInspection, at: EpochMs): StorageFacts['held'] {
  if (inspection.check === 'failed') {
    if (facts.held?.kind === 'corruption') return { ...facts.held, sections: inspection.damaged };
    return facts.held ?? holdFailure('corruption', at, inspection.damaged);
  }
  return inspection.check === 'ok' && facts.held !== null ? afterCleanCheck(facts.held, at) : facts.held;
}

/** Total bytes of the agent's files; null if a part is unknown. */
const kept = ({ sizes, documentBytes }: StorageInspection): number | null =>
  sizes === null
    ? null
    : (documentBytes ?? 0) + sizes.sectionsBytes + sizes.copiesBytes + sizes.profilesBytes + sizes.otherBytes;

/** The facts after an inspection that began at `at`. An inspection of the space only keeps the last check. */
export function afterInspection(facts: StorageFacts, inspection: StorageInspection, at: EpochMs): StorageFacts {
  const capacity =
    inspection.usableBytes === null || inspection.totalBytes === null
      ? null
      : { usableBytes: inspection.usableBytes, totalBytes: inspection.totalBytes };
  const pressure = nextPressure(facts.pressure, capacity);
  return {
    pressure,
    usableBytes: inspection.usableBytes,
    totalBytes: inspection.totalBytes,
    documentBytes: inspection.documentBytes ?? facts.documentBytes,
    sizes: inspection.sizes,
    large: inspection.large ?? facts.large,
    growth: afterMeasured(facts.growth, kept(inspection), at),
    check: inspection.check === 'not_run' ? facts.check : inspection.check,
    quickCheckedAt: inspection.check === 'not_run' ? facts.quickCheckedAt : at,
    checkedAt: at,
    held: releaseFailure(failureAfterInspection(facts, inspection, at), pressure),
  };
}

/** The facts after a write that failed with the store's code. */
export const afterFailure = (facts: StorageFacts, code: string, at: EpochMs): StorageFacts => ({
  ...facts,
  held: holdFailure(failureKind(code), at),
});

/** The facts after a successful write. */
export const afterSuccess = (facts: StorageFacts, at: EpochMs): StorageFacts => ({
  ...facts,
  held: facts.held === null ? null : releaseFailure(afterWrite(facts.held, at), facts.pressure),
});
