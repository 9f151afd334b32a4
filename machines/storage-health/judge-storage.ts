import type { EpochMs } from '../kit/units.ts';
import type { StorageFacts, StorageLook } from './events.ts';
import { afterMeasured, unmeasured } from './growth.ts';
import { afterCleanCheck, afterWrite, failureKind, latchFailure, settleLatch } from './latch.ts';
import { nextPressure } from './pressure.ts';

/** What is known before the first look. */
export const nothingKnown: StorageFacts = {
  pressure: 'unchecked',
  usableBytes: null,
  totalBytes: null,
  documentBytes: null,
  sizes: null,
  growth: unmeasured,
  check: 'not_run',
  quickCheckedAt: null,
  checkedAt: null,
  latch: null,
};

const latchAfterLook = (facts: StorageFacts, look: StorageLook, at: EpochMs): StorageFacts['latch'] => {
  if (look.check === 'failed') return facts.latch ?? latchFailure('corruption', at);
  return look.check === 'ok' && facts.latch !== null ? afterCleanCheck(facts.latch, at) : facts.latch;
};

/** Bytes of all that the agent keeps; null where a part of it is not known. */
const kept = ({ sizes, documentBytes }: StorageLook): number | null =>
  sizes === null ? null : (documentBytes ?? 0) + sizes.copiesBytes + sizes.profilesBytes + sizes.otherBytes;

/** The facts after a look that began at `at`. A look at the space alone keeps the last check. */
export const afterLook = (facts: StorageFacts, look: StorageLook, at: EpochMs): StorageFacts => {
  const capacity =
    look.usableBytes === null || look.totalBytes === null
      ? null
      : { usableBytes: look.usableBytes, totalBytes: look.totalBytes };
  const pressure = nextPressure(facts.pressure, capacity);
  return {
    pressure,
    usableBytes: look.usableBytes,
    totalBytes: look.totalBytes,
    documentBytes: look.documentBytes ?? facts.documentBytes,
    sizes: look.sizes,
    growth: afterMeasured(facts.growth, kept(look), at),
    check: look.check === 'not_run' ? facts.check : look.check,
    quickCheckedAt: look.check === 'not_run' ? facts.quickCheckedAt : at,
    checkedAt: at,
    latch: settleLatch(latchAfterLook(facts, look, at), pressure),
  };
};

/** The facts after a write that failed with the store's code. */
export const afterFailure = (facts: StorageFacts, code: string, at: EpochMs): StorageFacts => ({
  ...facts,
  latch: latchFailure(failureKind(code), at),
});

/** The facts after a write that was made durable. */
export const afterSuccess = (facts: StorageFacts, at: EpochMs): StorageFacts => ({
  ...facts,
  latch: facts.latch === null ? null : settleLatch(afterWrite(facts.latch, at), facts.pressure),
});
