import type { Verdict } from '#machines/kit/verdict.ts';
import type { ProximitySource } from '#machines/proximity/events.ts';

/** An open proximity sensor, which is polled. */
export interface OpenSensor {
  readonly source: ProximitySource;
  /** The current reading in the sensor's own unit; throws or rejects if the sensor is gone. */
  readonly read: (signal: AbortSignal) => number | Promise<number>;
  readonly close: () => void | Promise<void>;
}

export type Opened = { readonly sensor: OpenSensor } | { readonly verdict: Verdict };

/** Finds a sensor and opens it; never rejects. */
export type OpenProximity = (signal: AbortSignal) => Opened | Promise<Opened>;
