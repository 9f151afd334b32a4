import type { Milliseconds } from '../kit/units.ts';
import type { CaptureFault } from './events.ts';

/** Least silence of a camera that counts as starvation. */
const STARVED_MS: Milliseconds = 2000;

/** Frame intervals without a frame that count as starvation. */
const STARVED_INTERVALS = 4;

/** Facts of a running capture. */
export interface Watched {
  readonly clients: number;
  /** What the capture itself reported. */
  readonly fault: CaptureFault | null;
  readonly isIndicated: boolean;
  /** When the newest frame came. */
  readonly lastAt: Milliseconds;
  /** Rate that the encoder was given. */
  readonly fps: number;
  readonly at: Milliseconds;
}

/** Longest silence between two frames at that rate. */
export const starvedAfter = (fps: number): Milliseconds => Math.max((STARVED_INTERVALS * 1000) / fps, STARVED_MS);

/**
 * Why a running capture must end, the most important reason alone; null if it goes on. That the camera is turned off,
 * or that the agent ends, comes before all of these: the session then leaves the states that watch.
 */
export function watchdog(watched: Watched): 'unused' | 'fault' | 'indication' | 'starved' | null {
  if (watched.clients === 0) return 'unused';
  if (watched.fault !== null) return 'fault';
  if (!watched.isIndicated) return 'indication';
  return watched.at - watched.lastAt > starvedAfter(watched.fps) ? 'starved' : null;
}
