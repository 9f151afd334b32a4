import type { Milliseconds } from '#machines/kit/units.ts';
import { UNITS_PER_MS } from './rtp.ts';

/** RTP time of one stream, which goes on evenly when a capture is restarted; numbers of 32 bits that wrap. */
export interface RtpClock {
  /** Time of a picture by the encoder's clock. */
  readonly at: (timestampMs: Milliseconds) => number;
  /** Time of now. */
  readonly now: () => number;
  /** Another clock of an encoder begins: its first picture comes as much later as really passed. */
  readonly restart: () => void;
}

/** A step of the encoder's clock that no pause of a camera explains. */
const LARGEST_STEP_MS: Milliseconds = 10_000;
const WRAP = 2 ** 32;

export function createRtpClock(first: number, elapsed: () => Milliseconds): RtpClock {
  /** Unwrapped. */
  let last = first;
  let lastAt = elapsed();
  let offset: number | null = null;

  const passed = (): number => Math.round(Math.max(0, elapsed() - lastAt) * UNITS_PER_MS);
  return {
    at: (timestampMs) => {
      const units = Math.round(timestampMs * UNITS_PER_MS);
      const step = offset === null ? -1 : units + offset - last;
      const next =
        step >= 0 && step <= LARGEST_STEP_MS * UNITS_PER_MS ? last + step : last + Math.max(UNITS_PER_MS, passed());
      offset = next - units;
      // The same picture again tells nothing of now.
      if (next !== last) lastAt = elapsed();
      last = next;
      return next % WRAP;
    },
    now: () => (last + passed()) % WRAP,
    restart: () => {
      offset = null;
    },
  };
}
