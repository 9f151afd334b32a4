import type { EpochMs } from '../kit/units.ts';
import type { StorageFacts, StorageLook } from './events.ts';
import { afterCleanCheck, afterWrite, failureKind, latchFailure, settleLatch } from './latch.ts';
import { nextPressure } from './pressure.ts';

/** What is known before the first look. */
export const nothingKnown: StorageFacts = {
  pressure: 'unchecked',
  usableBytes: null,
  totalBytes: null,
  documentBytes: null,
  check: 'not_run',
  checkedAt: null,
  latch: null,
};

const latchAfterLook = (facts: StorageFacts, look: StorageLook, at: EpochMs): StorageFacts['latch'] => {
  if (look.check === 'failed') return facts.latch ?? latchFailure('corruption', at);
  return look.check === 'ok' && facts.latch !== null ? afterCleanCheck(facts.latch, at) : facts.latch;
};

/** The facts after a look that began at `at`. A look at the space alone keeps the last check. */
export const afterLook = (facts: StorageFacts, look: StorageLook, at: EpochMs): StorageFacts => {
  const capacity =
    look.usableBytes === null || look.totalBytes === null ? null : { usableBytes: look.usableBytes, totalBytes: look.totalBytes };
  const pressure = nextPressure(facts.pressure, capacity);
  return {
    pressure,
    usableBytes: look.usableBytes,
    totalBytes: look.totalBytes,
    documentBytes: look.documentBytes ?? facts.documentBytes,
    check: look.check === 'not_run' ? facts.check : look.check,
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
