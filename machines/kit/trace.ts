import type { EpochMs, Milliseconds } from './units.ts';

/** One point of a sensor's trace; null marks a gap: the device was lost or gave nothing that can be true. */
export interface TracePoint {
  readonly at: EpochMs;
  readonly value: number | null;
}

/** Points of a trace that are kept per sensor: more than an hour at one reading in two seconds; about 100 kB. */
export const TRACE_POINTS = 2000;

/** The trace with one more point; the oldest goes when it is full, and a gap is marked once. */
export function withPoint(trace: readonly TracePoint[], point: TracePoint): readonly TracePoint[] {
  const last = trace.at(-1);
  if (point.value === null && (last === undefined || last.value === null)) return trace;
  return [...(trace.length < TRACE_POINTS ? trace : trace.slice(trace.length - TRACE_POINTS + 1)), point];
}

/** Shortest time between two points of a trace whose values may come faster than that. */
export const TRACE_EVERY_MS: Milliseconds = 1000;

/**
 * The trace with one more value of a source that may tell several a second: one that comes too soon takes the place of
 * the last value, which keeps its time, so that the trace always ends at the value that stays. A gap is never filled,
 * and a clock that was set back silences nothing.
 */
export function newestPerSecond(trace: readonly TracePoint[], point: TracePoint): readonly TracePoint[] {
  const last = trace.at(-1);
  if (last === undefined || last.value === null || point.value === null) return withPoint(trace, point);
  const age = point.at - last.at;
  return age >= 0 && age < TRACE_EVERY_MS
    ? [...trace.slice(0, -1), { at: last.at, value: point.value }]
    : withPoint(trace, point);
}
