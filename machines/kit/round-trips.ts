import type { Milliseconds } from './units.ts';

/** What a series of round trips comes to, in whole milliseconds; all four are -1 while there is none. */
export interface RoundTripNumbers {
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly max_ms: number;
  /** Mean difference between one and the next; 0 for a single one. */
  readonly jitter_ms: number;
}

/** The value below which so many percent of an ascending series lie, by nearest rank; -1 of an empty one. */
const nearestRank = (ascending: readonly Milliseconds[], percent: number): Milliseconds =>
  ascending[Math.ceil((percent * ascending.length) / 100) - 1] ?? -1;

function jitter(series: readonly Milliseconds[]): Milliseconds {
  if (series.length < 2) return series.length === 0 ? -1 : 0;
  const sum = series.slice(1).reduce((total, ms, index) => total + Math.abs(ms - (series[index] ?? ms)), 0);
  return sum / (series.length - 1);
}

/** The numbers of round trips in the order in which they were measured. */
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
 * Whether something happened at least twice and in more than 5 % of the cases, so that a single miss or spike never
 * counts (contract, "Rules for the `ha_net*` and `ha_resp` tokens", 6).
 */
export const isFrequent = (times: number, cases: number): boolean => times >= 2 && times * 20 > cases;

/** Whether round trips above a limit are frequent. */
export const oftenAbove = (series: readonly Milliseconds[], limitMs: Milliseconds): boolean =>
  isFrequent(series.filter((ms) => ms > limitMs).length, series.length);

/** Lost of what was sent, in percent with one decimal; -1 where nothing was sent. */
export const lossPercent = (lost: number, sent: number): number =>
  sent === 0 ? -1 : Math.round((lost * 1000) / sent) / 10;
