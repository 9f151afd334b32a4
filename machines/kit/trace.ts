import type { EpochMs } from './units.ts';

/** One point of a sensor's trace; null marks a gap: the device was lost or gave nothing that can be true. */
export interface TracePoint {
  readonly at: EpochMs;
  readonly value: number | null;
}

/** Points of a trace that are kept per sensor: more than an hour at one reading in two seconds; about 100 kB. */
export const TRACE_POINTS = 2000;

/** The trace with one more point; the oldest goes when it is full, and a gap is marked once. */
export const withPoint = (trace: readonly TracePoint[], point: TracePoint): readonly TracePoint[] => {
  const last = trace.at(-1);
  if (point.value === null && (last === undefined || last.value === null)) return trace;
  return [...(trace.length < TRACE_POINTS ? trace : trace.slice(trace.length - TRACE_POINTS + 1)), point];
};
