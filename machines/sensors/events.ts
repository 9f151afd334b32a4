import type { EventObject } from 'xstate';

import type { DriverLogic } from '../kit/placeholder.ts';
import type { TracePoint } from '../kit/trace.ts';
import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { Verdict } from '../kit/verdict.ts';

/** Registry ids and entity keys of the room's sensors (contract, "Platform entities"). */
export const sensorIds = ['illuminance', 'temperature', 'humidity'] as const;

/** Units: lux, degrees Celsius, percent of relative humidity. */
export type SensorId = (typeof sensorIds)[number];

/**
 * Reported by a sensor's driver. It probes every two seconds while there is no device, so that a reconnected one
 * counts again within five, and reads at most once per second, so that events never carry a stream of samples.
 */
export type SensorFact =
  /** A suitable device was found; it is read every `everyMs`, 1000 to 60000. */
  | {
      readonly type: 'sensor.found';
      readonly device: string;
      readonly everyMs: Milliseconds;
      readonly verdict: Verdict;
    }
  /** There is none, reported once per reason; an `optional` sensor stays hidden until it was found once. */
  | { readonly type: 'sensor.missing'; readonly verdict: Verdict; readonly optional: boolean }
  /** One reading in the sensor's unit as given by the device; NaN if the device gave none. */
  | { readonly type: 'sensor.sampled'; readonly value: number; readonly at: EpochMs }
  /** The device was lost, with the POSIX name of the error. */
  | { readonly type: 'sensor.lost'; readonly code: string; readonly at: EpochMs };

/** Contract of the driver of one of the room's sensors. */
export type SensorDriver = DriverLogic<EventObject, undefined, SensorFact>;

/** The owner's correction in the sensor's unit. */
export interface OffsetFact {
  readonly type: 'sensor.correct';
  readonly offset: number;
}

export type SensorEvent = SensorFact | OffsetFact;

/** Public facts of one sensor. */
export interface SensorContext {
  readonly kind: SensorId;
  readonly verdict: Verdict;
  /** False only for an optional sensor that was never found. */
  readonly shown: boolean;
  /** The kernel's name of the device; null before one was found. */
  readonly device: string | null;
  readonly everyMs: Milliseconds;
  /** The owner's correction in the sensor's unit. */
  readonly offset: number;
  /** Newest plausible reading, without the owner's correction; null while none can be trusted. */
  readonly measured: number | null;
  /** When that reading was taken; null before the first. */
  readonly at: EpochMs | null;
  /** The published reading, without the owner's correction; null while none can be trusted. */
  readonly published: { readonly value: number; readonly at: EpochMs } | null;
  /** Consecutive implausible readings. */
  readonly doubts: number;
  /** Newest readings, oldest first, at most `TRACE_POINTS`. */
  readonly trace: readonly TracePoint[];
}

export interface SensorActor {
  readonly id: SensorId;
  readonly context: SensorContext;
  readonly event: never;
}
