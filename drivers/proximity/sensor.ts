import type { Verdict } from '#machines/kit/verdict.ts';
import type { ProximitySource } from '#machines/proximity/events.ts';

/** A proximity sensor that was opened and is read again and again. */
export interface OpenSensor {
  readonly source: ProximitySource;
  /** The reading now, in the sensor's own unit; throws or rejects when the sensor is gone. */
  readonly read: (signal: AbortSignal) => number | Promise<number>;
  readonly close: () => void | Promise<void>;
}

/** The sensor, or what is missing. */
export type Opened = { readonly sensor: OpenSensor } | { readonly verdict: Verdict };

/** Finds a sensor and opens it; never rejects. */
export type OpenProximity = (signal: AbortSignal) => Opened | Promise<Opened>;
