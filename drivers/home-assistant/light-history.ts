import { fieldsOf } from '#drivers/kit/json-fields.ts';
import type { Reading, RecordedLight } from '#machines/home-assistant/events.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';

import type { Answer, Ask } from './bounded.ts';
import { foldMinutes, type HeldLight, MINUTE_MS } from './light-minutes.ts';
import { boundedLux, luxOf } from './lux.ts';

/** Longest history, and most rows of it: a week by the minute. */
const DAYS = 7;
const ROWS = 10_080;
/** Rows of statistics in a week: one per 5 minutes. */
const STATISTICS_MINUTES = 5;
const STATISTICS = ROWS / STATISTICS_MINUTES;
/** Most recorded states that are used of a day. */
const STATES_PER_DAY = 20_000;
const HOURS_PER_DAY = 24;
const HOUR_MINUTES = 60;
const DAY_MS: Milliseconds = HOURS_PER_DAY * HOUR_MINUTES * MINUTE_MS;
/**
 * First range, before it is known how often the entity changes, and then how many rows a range is to give. Home
 * Assistant limits no rows: an hour of 55 changes a second would be more than one message may have, and all hours of
 * 10 changes a second a flood.
 */
const FIRST_MINUTES = 5;
const ROWS_AT_ONCE = 3_600;
/** Longest time for all commands together. */
const ALL_MS: Milliseconds = 60_000;

interface Wanted {
  readonly entityId: string;
  /** 1 to 7. */
  readonly days: number;
}

/** True without an answer in time; a refusal is an answer: there are no records, or no recorder. */
const isSilence = (answer: Answer<unknown>): boolean => !answer.ok && answer.code === null;

const iso = (at: EpochMs): string => new Date(at).toISOString();

/** The rows of one entity in an answer by entity id. */
function rowsFor(entityId: string, result: unknown): readonly unknown[] {
  const rows = fieldsOf(result)[entityId];
  return Array.isArray(rows) ? rows : [];
}

/** A row of statistics; its start is in milliseconds. */
function statisticOf(row: unknown): readonly RecordedLight[] {
  const { start, mean, min, max } = fieldsOf(row);
  const [middle, low, high] = [boundedLux(mean), boundedLux(min), boundedLux(max)];
  if (typeof start !== 'number' || middle === null || low === null || high === null) return [];
  return [{ minute: Math.floor(start / MINUTE_MS), minutes: STATISTICS_MINUTES, mean: middle, min: low, max: high }];
}

/** A recorded state: `s` is the state and `lu` the second since which it is so, with a fraction. */
function stateOf(row: unknown): readonly HeldLight[] {
  const { s: state, lu: since } = fieldsOf(row);
  return typeof since === 'number' ? [{ at: since * 1000, lux: luxOf(state) }] : [];
}

const readStatistics = (entityId: string, from: EpochMs, ask: Ask): Promise<Answer<unknown>> =>
  ask({
    type: 'recorder/statistics_during_period',
    start_time: iso(from),
    statistic_ids: [entityId],
    period: '5minute',
    types: ['mean', 'min', 'max'],
  });

const readStates = (entityId: string, from: EpochMs, to: EpochMs, ask: Ask): Promise<Answer<unknown>> =>
  ask({
    type: 'history/history_during_period',
    start_time: iso(from),
    end_time: iso(to),
    entity_ids: [entityId],
    minimal_response: true,
    no_attributes: true,
    significant_changes_only: false,
  });

/**
 * The recorded states folded into minutes, read by the hour from the newest on; of each hour, from its start, as much
 * as leaves the other hours of its day their share of 20,000. Null if the first command has no answer in time; a later
 * one without an answer, or the end of the time for all, ends it with what was read.
 */
async function readMinutes(
  { entityId, days }: Wanted,
  now: EpochMs,
  ask: Ask,
): Promise<readonly RecordedLight[] | null> {
  const oldest = now - days * DAY_MS;
  const parts: (readonly RecordedLight[])[] = [];
  const limit = { isOver: false };
  const timer = setTimeout(() => {
    limit.isOver = true;
  }, ALL_MS);
  /** States that may still be used of the day. */
  let left = STATES_PER_DAY;
  /** Rows per minute where it changed most often. */
  let densest = 0;
  let failure: Answer<unknown> | null = null;
  for (let [to, hour] = [now, 0]; to > oldest && !limit.isOver; hour += 1) {
    const ofDay = hour % HOURS_PER_DAY;
    if (ofDay === 0) left = STATES_PER_DAY;
    const share = Math.floor(left / (HOURS_PER_DAY - ofDay));
    const from = Math.max(oldest, to - (hour === 0 ? FIRST_MINUTES : HOUR_MINUTES) * MINUTE_MS);
    const end = Math.min(to, from + Math.max(1, Math.floor(ROWS_AT_ONCE / densest)) * MINUTE_MS);
    // One after the other: how much came decides the next range.
    const answer = await readStates(entityId, from, end, ask);
    if (!answer.ok) {
      failure = answer;
      break;
    }
    const rows = rowsFor(entityId, answer.value);
    densest = Math.max(densest, (rows.length * MINUTE_MS) / (end - from));
    left -= Math.min(rows.length, share);
    // The first row too many ends what is known.
    const held = rows.slice(0, share + 1).flatMap(stateOf);
    parts.push(foldMinutes(held, from, rows.length > share ? (held.at(-1)?.at ?? from) : end));
    to = from;
  }
  clearTimeout(timer);
  return failure !== null && parts.length === 0 && isSilence(failure) ? null : parts.toReversed().flat();
}

/**
 * The light of one entity in the last days: its statistics by 5 minutes, or its states folded into minutes where it has
 * none. Null if Home Assistant does not answer in time; empty without records. Every account may ask for this (seen
 * with 2026.11).
 */
export async function readLightHistory(
  wanted: Wanted,
  now: EpochMs,
  ask: Ask,
): Promise<Extract<Reading, { readonly kind: 'light-history' }> | null> {
  const { entityId } = wanted;
  const days = Math.min(DAYS, Math.max(1, Math.floor(wanted.days)));
  const whole = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  const found = (light: readonly RecordedLight[]) =>
    ({ kind: 'light-history', entityId, light: light.slice(-ROWS) }) as const;
  const statistics = await readStatistics(entityId, whole - days * DAY_MS, ask);
  if (isSilence(statistics)) return null;
  const rows = statistics.ok ? rowsFor(entityId, statistics.value).slice(-STATISTICS).flatMap(statisticOf) : [];
  if (rows.length > 0) return found(rows);
  const minutes = await readMinutes({ entityId, days }, whole, ask);
  return minutes === null ? null : found(minutes);
}
