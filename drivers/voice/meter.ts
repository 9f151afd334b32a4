import { addSound, BYTES_PER_SAMPLE, levelOfPeak, noSound } from '#machines/kit/sound-samples.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { EarHealth } from '#machines/voice/events.ts';

/** What health is judged by. */
interface Heard {
  readonly bytesPerSecond: number;
  /** 0 to 1. */
  readonly clippedShare: number;
  /** Seconds in a row in which all samples had one value. */
  readonly flatSeconds: number;
  readonly isMuted: boolean;
}

/** Decides how healthy the microphone is; `machines/voice` does. */
export type JudgeHealth = (heard: Heard) => EarHealth;

interface Measured {
  readonly health: EarHealth;
  /** Peak in percent. */
  readonly level: number;
}

/** Measures what is heard, before silence and gain. */
export interface Meter {
  /** The time before, and what was heard in it, does not count. */
  readonly restart: () => void;
  readonly take: (pcm: Uint8Array) => void;
  /** What was heard since the last call. */
  readonly measure: (isMuted: boolean, judge: JudgeHealth) => Measured;
}

export function createMeter(elapsed: () => Milliseconds): Meter {
  let figures = noSound;
  let since = elapsed();
  let flatSeconds = 0;
  let flatValue: number | null = null;
  return {
    restart: () => {
      figures = noSound;
      since = elapsed();
    },
    take: (pcm) => {
      figures = addSound(figures, pcm);
    },
    measure: (isMuted, judge) => {
      const { samples, peak, clipped, low, high } = figures;
      const now = elapsed();
      const seconds = Math.max(now - since, 1) / 1000;
      const value = samples > 0 && low === high ? low : null;
      flatSeconds = value === null ? 0 : value === flatValue ? flatSeconds + 1 : 1;
      flatValue = value;
      figures = noSound;
      since = now;
      const health = judge({
        bytesPerSecond: (samples * BYTES_PER_SAMPLE) / seconds,
        clippedShare: samples === 0 ? 0 : clipped / samples,
        flatSeconds,
        isMuted,
      });
      return { health, level: levelOfPeak(peak) };
    },
  };
}
