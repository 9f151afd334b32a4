import type { Milliseconds } from '../kit/units.ts';

/** Durations of the guided calibration (as panel-assistant). */
export interface SessionTimings {
  /** Time to get ready before each reading. */
  readonly countdownMs: Milliseconds;
  /** How long a reading is held and captured. */
  readonly captureMs: Milliseconds;
  /** How long a person may take to come near, and to move away again. */
  readonly presenceMs: Milliseconds;
  /** How long each of the three steps of the wave may take. */
  readonly waveMs: Milliseconds;
  readonly sessionMs: Milliseconds;
  /** A page without a heartbeat for this long counts as closed. */
  readonly heartbeatMs: Milliseconds;
  /** Waves needed to validate the sensor. */
  readonly waves: number;
}

/** The durations in use. */
export const sessionTimings: SessionTimings = {
  countdownMs: 8000,
  captureMs: 5000,
  presenceMs: 30_000,
  waveMs: 45_000,
  sessionMs: 300_000,
  heartbeatMs: 30_000,
  waves: 3,
};

/** How near, clear and waves are recognised (as panel-assistant). */
export interface DetectorSettings {
  /** Level from which something is near, 0 to 100. */
  readonly enterLevel: number;
  /** Level down to which it stays near. */
  readonly exitLevel: number;
  /** A change counts once it has lasted this long. */
  readonly debounceMs: Milliseconds;
  /** How long the sensor must be clear before a gesture counts. */
  readonly armMs: Milliseconds;
  /** Shortest and longest time for which a wave holds the hand near. */
  readonly waveMinMs: Milliseconds;
  readonly waveMaxMs: Milliseconds;
  readonly cooldownMs: Milliseconds;
  /** Longest time between the two halves of a double wave; 300 to 10000. */
  readonly doubleGapMs: Milliseconds;
  /** `single` fires as the hand comes in, `double` when it has left for the second time. */
  readonly pattern: 'single' | 'double';
}

/** The thresholds in use. */
export const detectorSettings: DetectorSettings = {
  enterLevel: 65,
  exitLevel: 30,
  debounceMs: 150,
  armMs: 700,
  waveMinMs: 200,
  waveMaxMs: 4000,
  cooldownMs: 1000,
  doubleGapMs: 1800,
  pattern: 'single',
};
