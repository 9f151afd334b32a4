import type { RecordedLight } from '../home-assistant/events.ts';
import { usableLux } from '../kit/lux.ts';
import type { EpochMs } from '../kit/units.ts';
import type { EpochMinute, LightMinute } from './events.ts';
import { logOf } from './lux.ts';

const MINUTE_MS = 60_000;

/** The longest time that one reading is credited for. */
const CREDIT_MS = 120_000;

/** Rows that are still credited; the clock was set back if there is more than one. */
const OPEN_ROWS = 16;

/** What is kept: seven days. */
export const RETAINED_MINUTES = 10_080;

/** The longest record of Home Assistant, a statistic of five minutes. */
const RECORDED_MINUTES = 5;

/** Minutes that are not over. */
export interface OpenMinutes {
  readonly open: readonly LightMinute[];
}

/** Part of a minute with one reading. */
function partOf(minute: EpochMinute, lux: number, coveredMs: number, isBaseline: boolean): LightMinute {
  return {
    minute,
    luxMs: lux * coveredMs,
    coveredMs,
    min: lux,
    max: lux,
    last: lux,
    samples: 1,
    baselineLogMs: isBaseline ? logOf(lux) * coveredMs : 0,
    baselineMs: isBaseline ? coveredMs : 0,
  };
}

/** Two rows of the same minute as one; no minute counts for more than its length, however the clock was set. */
function joined(first: LightMinute, second: LightMinute): LightMinute {
  const coveredMs = first.coveredMs + second.coveredMs;
  const scale = Math.min(1, MINUTE_MS / coveredMs);
  return {
    minute: first.minute,
    luxMs: (first.luxMs + second.luxMs) * scale,
    coveredMs: coveredMs * scale,
    min: Math.min(first.min, second.min),
    max: Math.max(first.max, second.max),
    last: second.last,
    samples: first.samples + second.samples,
    baselineLogMs: (first.baselineLogMs + second.baselineLogMs) * scale,
    baselineMs: (first.baselineMs + second.baselineMs) * scale,
  };
}

/** True of what was joined before, with newer minutes behind it: the usual case, which is not worth a sort. */
const isJoined = (rows: readonly LightMinute[]): boolean =>
  rows.every(({ minute }, index) => index === 0 || minute > (rows[index - 1]?.minute ?? minute));

/** The rows by their minute, sorted, those of one minute joined. */
function byMinute(rows: readonly LightMinute[]): readonly LightMinute[] {
  if (isJoined(rows)) return rows;
  const known = new Map<EpochMinute, LightMinute>();
  for (const row of rows) {
    const before = known.get(row.minute);
    known.set(row.minute, before === undefined ? row : joined(before, row));
  }
  return [...known.values()].toSorted((first, second) => first.minute - second.minute);
}

/**
 * Credits `lux` from `from` to `to`, split at the minutes; of more than two minutes the last two, and nothing if the
 * clock went back. Minutes before that of `to` are finished. The caller measures the duration by a monotonic clock.
 */
export function credit(
  before: OpenMinutes,
  part: { readonly lux: number; readonly from: EpochMs; readonly to: EpochMs; readonly isBaseline: boolean },
): { readonly open: readonly LightMinute[]; readonly finished: readonly LightMinute[] } {
  const { to } = part;
  const from = Math.max(part.from, to - CREDIT_MS);
  const lux = usableLux(part.lux);
  if (lux === null || !(to > from)) return { open: before.open, finished: [] };
  const parts: LightMinute[] = [];
  for (let start = from; start < to;) {
    const minute = Math.floor(start / MINUTE_MS);
    const end = Math.min(to, (minute + 1) * MINUTE_MS);
    parts.push(partOf(minute, lux, end - start, part.isBaseline));
    start = end;
  }
  const rows = byMinute([...before.open, ...parts]);
  const current = Math.floor(to / MINUTE_MS);
  const firstOpen = rows.findIndex(({ minute }) => minute >= current);
  const cut = Math.max(firstOpen === -1 ? rows.length : firstOpen, rows.length - OPEN_ROWS);
  return { open: rows.slice(cut), finished: rows.slice(0, cut) };
}

/**
 * The rows of the last seven days, sorted, those of one minute joined (after a restart in the middle of a minute); of
 * minutes after `now` there is none.
 */
export const joinMinutes = (rows: readonly LightMinute[], now: EpochMinute): readonly LightMinute[] =>
  byMinute(rows.filter(({ minute }) => minute <= now && minute > now - RETAINED_MINUTES));

/** Rows of a record of Home Assistant, all of it baseline: one for a minute, five for a statistic of five minutes. */
export function minutesOf(recorded: RecordedLight): readonly LightMinute[] {
  const mean = usableLux(recorded.mean);
  if (mean === null || !Number.isSafeInteger(recorded.minute)) return [];
  const min = Math.min(mean, usableLux(recorded.min) ?? mean);
  const max = Math.max(mean, usableLux(recorded.max) ?? mean);
  const count = Math.min(RECORDED_MINUTES, Math.max(0, Math.floor(recorded.minutes)));
  return Array.from({ length: count }, (_, index) => ({
    ...partOf(recorded.minute + index, mean, MINUTE_MS, true),
    min,
    max,
  }));
}
