import type { EventObject } from 'xstate';

import type { DriverLogic } from '../kit/placeholder.ts';
import type { TracePoint } from '../kit/trace.ts';
import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { Verdict } from '../kit/verdict.ts';

/** Registry ids and entity keys of the sensors that measure the room (contract, "Platform entities"). */
export const sensorIds = ['illuminance', 'temperature', 'humidity'] as const;

/** One of the sensors that measure the room: lux, degrees Celsius, percent of relative humidity. */
export type SensorId = (typeof sensorIds)[number];

/**
 * What a sensor's driver reports by itself: it probes every two seconds while there is no device, so that one that was
 * put back counts again within five, and reads at most once per second, so that no stream of samples travels as events.
 */
export type SensorFact =
  /** A suitable device was found; it is read each `everyMs`, 1000 to 60000. */
  | {
      readonly type: 'sensor.found';
      readonly device: string;
      readonly everyMs: Milliseconds;
      readonly verdict: Verdict;
    }
  /** There is none, reported once for each reason; an `optional` one is kept hidden until it was found once. */
  | { readonly type: 'sensor.missing'; readonly verdict: Verdict; readonly optional: boolean }
  /** One reading in the unit of the sensor as the device gave it; not a number where the device gave none. */
  | { readonly type: 'sensor.sampled'; readonly value: number; readonly at: EpochMs }
  /** The device was there and is gone, with the POSIX name of the error. */
  | { readonly type: 'sensor.lost'; readonly code: string; readonly at: EpochMs };

/** Contract of the driver of one sensor of the room. */
export type SensorDriver = DriverLogic<EventObject, undefined, SensorFact>;

/** The owner's correction in the unit of the sensor. */
export interface OffsetFact {
  readonly type: 'sensor.correct';
  readonly offset: number;
}

export type SensorEvent = SensorFact | OffsetFact;

/** Public facts of one sensor. */
export interface SensorContext {
  readonly kind: SensorId;
  readonly verdict: Verdict;
  /** Whether it is shown at all: an optional one only once it was found. */
  readonly shown: boolean;
  /** Name of the device as the kernel gives it; null before one was found. */
  readonly device: string | null;
  readonly everyMs: Milliseconds;
  /** The owner's correction in the unit of the sensor. */
  readonly offset: number;
  /** Newest reading that can be true, without the owner's correction; null while there is none to trust. */
  readonly measured: number | null;
  /** When that reading was taken; null before the first. */
  readonly at: EpochMs | null;
  /** The reading that stands published, without the owner's correction; null while there is none to trust. */
  readonly published: { readonly value: number; readonly at: EpochMs } | null;
  /** Readings in a row that could not be true. */
  readonly doubts: number;
  /** Newest readings, oldest first, at most `TRACE_POINTS`. */
  readonly trace: readonly TracePoint[];
}

/** What the actor of a sensor of the room shows to the rest of the house. */
export interface SensorActor {
  readonly id: SensorId;
  readonly context: SensorContext;
  readonly event: never;
}
