import type { EpochMs, Milliseconds } from '../kit/units.ts';

/**
 * Smallest change of the boot time that is accepted. The kernel derives it from a clock that is constantly corrected
 * and rounds to a second, so it flickers by one; setting the clock after a cold start moves it by minutes or years.
 */
const BOOT_JITTER_MS: Milliseconds = 10_000;

/** The boot time to publish: the known one unless the observed one really moved; null if none was ever observed. */
export function steadyBoot(known: EpochMs | null, seen: EpochMs | null): EpochMs | null {
  if (seen === null || known === null) return seen ?? known;
  return Math.abs(seen - known) < BOOT_JITTER_MS ? known : seen;
}
