import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { FailureKind, HeldFailure } from './events.ts';
import type { Pressure } from './pressure.ts';

/** The kind of a failure from the store's own code; what is not known stays `unknown`. */
export function failureKind(code: string): FailureKind {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'storage_full';
    case 'EIO':
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return 'io';
    case 'unreadable':
      return 'corruption';
    case 'EBUSY':
    case 'EAGAIN':
      return 'busy';
    default:
      return 'unknown';
  }
}

/** A new failure: what was proven before it counts no more. */
export const holdFailure = (kind: FailureKind, at: EpochMs, sections: readonly string[] = []): HeldFailure => ({
  kind,
  sections,
  failedAt: at,
  cleanCheckAt: null,
  writtenSince: false,
});

/**
 * What is heard later and dated this much earlier was dated by a clock that was set back in between; no check takes so
 * long.
 */
const SET_BACK_MS: Milliseconds = 60_000;

/** True if `at`, heard now, shows that an earlier time `since` lies in the future of a clock that was set back. */
const wasSetBack = (at: EpochMs, since: EpochMs): boolean => at < since - SET_BACK_MS;

/**
 * A check that began at `at` was clean: it counts when it began after the failure. The first such check is kept. A
 * failure that lies in the future is dated anew, so that the check after this one counts.
 */
export function afterCleanCheck(held: HeldFailure, at: EpochMs): HeldFailure {
  if (held.cleanCheckAt !== null) return held;
  if (wasSetBack(at, held.failedAt)) return { ...held, failedAt: at };
  return at > held.failedAt ? { ...held, cleanCheckAt: at } : held;
}

/** Something was written at `at`: it counts when it came after a clean check. */
export const afterWrite = (held: HeldFailure, at: EpochMs): HeldFailure =>
  held.cleanCheckAt !== null && (at >= held.cleanCheckAt || wasSetBack(at, held.cleanCheckAt))
    ? { ...held, writtenSince: true }
    : held;

/**
 * The held failure that remains: none once a clean check that began after the failure was followed by a real write,
 * and, for a
 * full disk, the pressure is healthy too.
 */
export function releaseFailure(held: HeldFailure | null, pressure: Pressure): HeldFailure | null {
  if (held === null || !held.writtenSince) return held;
  return held.kind === 'storage_full' && pressure !== 'healthy' ? held : null;
}
