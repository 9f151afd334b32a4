import type { Milliseconds } from './units.ts';

/** Statistics of a series of round trips, in whole milliseconds; all four are -1 for an empty series. */
export interface RoundTripNumbers {
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly max_ms: number;
  /** Mean difference between consecutive round trips; 0 for a single one. */
  readonly jitter_ms: number;
}

/** The nearest-rank percentile of an ascending series; -1 for an empty one. */
const nearestRank = (ascending: readonly Milliseconds[], percent: number): Milliseconds =>
  ascending[Math.ceil((percent * ascending.length) / 100) - 1] ?? -1;

function jitter(series: readonly Milliseconds[]): Milliseconds {
  if (series.length < 2) return series.length === 0 ? -1 : 0;
  const sum = series.slice(1).reduce((total, ms, index) => total + Math.abs(ms - (series[index] ?? ms)), 0);
  return sum / (series.length - 1);
}

/** Statistics of round trips, given in the order of measurement. */
export function roundTripNumbers(series: readonly Milliseconds[]): RoundTripNumbers {
  const ascending = series.toSorted((a, b) => a - b);
  return {
    p50_ms: Math.round(nearestRank(ascending, 50)),
    p95_ms: Math.round(nearestRank(ascending, 95)),
    max_ms: Math.round(ascending.at(-1) ?? -1),
    jitter_ms: Math.round(jitter(series)),
  };
}

/**
 * True if something happened at least twice and in more than 5 % of the cases, so that a single miss or spike never
 * counts (contract, "Rules for the `ha_net*` and `ha_resp` tokens", 6).
 */
export const isFrequent = (times: number, cases: number): boolean => times >= 2 && times * 20 > cases;

/** True if round trips above a limit are frequent. */
export const oftenAbove = (series: readonly Milliseconds[], limitMs: Milliseconds): boolean =>
  isFrequent(series.filter((ms) => ms > limitMs).length, series.length);

/** Lost share of what was sent, in percent with one decimal; -1 if nothing was sent. */
export const lossPercent = (lost: number, sent: number): number =>
  sent === 0 ? -1 : Math.round((lost * 1000) / sent) / 10;
