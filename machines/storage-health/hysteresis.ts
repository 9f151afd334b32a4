import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { FailureKind, HeldFailure } from './events.ts';
import type { Pressure } from './pressure.ts';

/** The kind of a failure, by the store's code. */
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

/** A new failure: earlier checks and writes no longer count. */
export const holdFailure = (kind: FailureKind, at: EpochMs, sections: readonly string[] = []): HeldFailure => ({
  kind,
  sections,
  failedAt: at,
  cleanCheckAt: null,
  writtenSince: false,
});

/** A later report with a time this much earlier means that the clock was set back; no check takes this long. */
const SET_BACK_MS: Milliseconds = 60_000;

/** True if the new time `at` shows that the clock was set back after `since`. */
const wasSetBack = (at: EpochMs, since: EpochMs): boolean => at < since - SET_BACK_MS;

/**
 * A check that began at `at` was clean: it counts if it began after the failure, and the first such check is kept. A
 * failure in the future gets a new time, so that the next check counts.
 */
export function afterCleanCheck(held: HeldFailure, at: EpochMs): HeldFailure {
  if (held.cleanCheckAt !== null) return held;
  if (wasSetBack(at, held.failedAt)) return { ...held, failedAt: at };
  return at > held.failedAt ? { ...held, cleanCheckAt: at } : held;
}

/** A write succeeded at `at`: it counts if it came after a clean check. */
export const afterWrite = (held: HeldFailure, at: EpochMs): HeldFailure =>
  held.cleanCheckAt !== null && (at >= held.cleanCheckAt || wasSetBack(at, held.cleanCheckAt))
    ? { ...held, writtenSince: true }
    : held;

/**
 * The failure that remains: none once a clean check that began after it was followed by a successful write and, for a
 * full disk, the pressure is healthy too.
 */
export function releaseFailure(held: HeldFailure | null, pressure: Pressure): HeldFailure | null {
  if (held === null || !held.writtenSince) return held;
  return held.kind === 'storage_full' && pressure !== 'healthy' ? held : null;
}
