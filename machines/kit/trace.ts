import type { EpochMs, Milliseconds } from './units.ts';

/** One point of a sensor's trace; null marks a gap: the device was lost or returned an impossible value. */
export interface TracePoint {
  readonly at: EpochMs;
  readonly value: number | null;
}

/** Points kept per sensor: more than an hour at one reading every two seconds; about 100 kB. */
export const TRACE_POINTS = 2000;

/** The trace with one more point; a full trace drops the oldest, and a gap is marked once. */
export function withPoint(trace: readonly TracePoint[], point: TracePoint): readonly TracePoint[] {
  const last = trace.at(-1);
  if (point.value === null && (last === undefined || last.value === null)) return trace;
  return [...(trace.length < TRACE_POINTS ? trace : trace.slice(trace.length - TRACE_POINTS + 1)), point];
}

/** Shortest time between two points if values arrive faster. */
export const TRACE_EVERY_MS: Milliseconds = 1000;

/**
 * The trace with one more value of a source that may report several a second: a value that comes too soon replaces the
 * last one but keeps its time, so the trace always ends with the current value. A gap is never filled, and a clock that
 * was set back suppresses nothing.
 */
export function newestPerSecond(trace: readonly TracePoint[], point: TracePoint): readonly TracePoint[] {
  const last = trace.at(-1);
  if (last === undefined || last.value === null || point.value === null) return withPoint(trace, point);
  const age = point.at - last.at;
  return age >= 0 && age < TRACE_EVERY_MS
    ? [...trace.slice(0, -1), { at: last.at, value: point.value }]
    : withPoint(trace, point);
}
