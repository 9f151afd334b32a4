import type { EarHealth } from './events.ts';

/** What was measured while the microphone was open, usually in one second. */
export interface Heard {
  /** By the clock; a healthy source has 31 to 33 kB (measured with PulseAudio 16.1 and PipeWire 0.3.65). */
  readonly bytesPerSecond: number;
  /** Share of the samples at the limit, 0 to 1. */
  readonly clippedShare: number;
  /** Seconds in a row in which all samples had one value. A dead source delivers zeros, some a constant. */
  readonly flatSeconds: number;
  /** True if the sound system says so. */
  readonly isMuted: boolean;
}

/** Below this the source delivers less than it promised; one late block of a busy panel is no loss. */
const FEW_BYTES = 24_000;
/** Silence without noise for so long is no room, however quiet. */
const SILENT_SECONDS = 5;
const CLIPPED_SHARE = 0.01;

/** Health of an open microphone, worst first. */
export function judgeHealth({ bytesPerSecond, clippedShare, flatSeconds, isMuted }: Heard): EarHealth {
  if (bytesPerSecond < FEW_BYTES) return 'stalled';
  if (isMuted && flatSeconds > 0) return 'muted';
  if (flatSeconds >= SILENT_SECONDS) return 'silent';
  return clippedShare > CLIPPED_SHARE ? 'clipping' : 'ok';
}

/** As `judgeHealth`, of a check: it is too short to wait for the silence of a room. */
export const judgeCheck = (heard: Heard): EarHealth =>
  judgeHealth({ ...heard, flatSeconds: heard.flatSeconds > 0 ? SILENT_SECONDS : 0 });
