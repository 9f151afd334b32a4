import { type Fields, fieldsOf } from '#drivers/kit/json-fields.ts';
import type { Reading, Topic } from '#machines/home-assistant/events.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';

import type { Ask } from './bounded.ts';
import { STATE_LENGTH } from './entity-state.ts';
import { watchableIds } from './states.ts';

type StateHistory = Extract<Reading, { readonly kind: 'state-history' }>;
type Wanted = Extract<Topic, { readonly kind: 'state-history' }>;

const MINUTE_MS: Milliseconds = 60_000;
/** Longest history: two days, and an hour to warm up. */
const LONGEST_MS: Milliseconds = 49 * 60 * MINUTE_MS;
/** Most recorded states that are used. */
const STATES = 20_000;
/**
 * First range and the longest, in minutes, and how many rows a range is to give once it is known how often the entities
 * change. Home Assistant limits no rows: of 160 changes a second, 20 minutes are just below what one message may have
 * (`machines/kit/json-excess.ts`: 5 tokens a row).
 */
const FIRST_MINUTES = 5;
const LONGEST_MINUTES = 20;
const ROWS_AT_ONCE = 3_600;
/** Longest time for all commands together. */
const ALL_MS: Milliseconds = 60_000;

interface RecordedState {
  readonly entityId: string;
  readonly state: string;
  readonly at: EpochMs;
}

const iso = (at: EpochMs): string => new Date(at).toISOString();

/** The rows of an answer between two instants, oldest first: `s` is a state, `lu` the second since which it is so. */
function statesIn(result: unknown, entityIds: readonly string[], from: EpochMs, to: EpochMs): readonly RecordedState[] {
  const byId: Fields = fieldsOf(result);
  const states = entityIds.flatMap((entityId) => {
    const rows = byId[entityId];
    return (Array.isArray(rows) ? rows : []).flatMap((row): readonly RecordedState[] => {
      const { s: state, lu: since } = fieldsOf(row);
      if (typeof state !== 'string' || typeof since !== 'number') return [];
      // The state at the start is older than that.
      const at = Math.max(from, Math.round(since * 1000));
      return at <= to ? [{ entityId, state: state.slice(0, STATE_LENGTH), at }] : [];
    });
  });
  return states.toSorted((a, b) => a.at - b.at);
}

/** By entity, in the order of the topic; a state that only repeats the one before is left out. */
function byEntity(entityIds: readonly string[], states: readonly RecordedState[]): StateHistory['entities'] {
  const lanes = new Map(entityIds.map((id) => [id, [] as { readonly state: string; readonly at: EpochMs }[]]));
  for (const { entityId, state, at } of states) {
    const lane = lanes.get(entityId);
    if (lane !== undefined && lane.at(-1)?.state !== state) lane.push({ state, at });
  }
  return entityIds.map((entityId) => ({ entityId, states: lanes.get(entityId) ?? [] }));
}

/**
 * The recorded states of some entities, read in ranges from the newest on, at most 20,000; of more, or if it takes over
 * a minute, the newest. Null if a command is refused (there is no recorder) or not answered in time. Every account may
 * ask for this (seen with 2026.11).
 */
export async function readStateHistory(wanted: Wanted, now: EpochMs, ask: Ask): Promise<StateHistory | null> {
  const entityIds = watchableIds(wanted.entityIds);
  const end = Math.min(wanted.to, now);
  const start = Math.max(wanted.from, end - LONGEST_MS);
  const limit = { isOver: false };
  const timer = setTimeout(() => {
    limit.isOver = true;
  }, ALL_MS);
  let read: readonly RecordedState[] = [];
  let isCut = false;
  /** Rows per minute where they changed most often. */
  let densest = 0;
  let minutes = FIRST_MINUTES;
  for (let to = end; to > start && entityIds.length > 0 && !isCut;) {
    const from = Math.max(start, to - minutes * MINUTE_MS);
    // One after the other: how much came decides the next range.
    const answer = await ask({
      type: 'history/history_during_period',
      start_time: iso(from),
      // Home Assistant leaves out what is exactly at either end.
      end_time: iso(to + 1),
      entity_ids: entityIds,
      include_start_time_state: from === start,
      minimal_response: true,
      no_attributes: true,
      significant_changes_only: false,
    });
    if (!answer.ok) {
      clearTimeout(timer);
      return null;
    }
    const states = statesIn(answer.value, entityIds, from, to);
    densest = Math.max(densest, (states.length * MINUTE_MS) / (to - from));
    minutes = Math.min(LONGEST_MINUTES, Math.max(1, Math.floor(ROWS_AT_ONCE / densest)));
    isCut = read.length + states.length > STATES || (limit.isOver && from > start);
    read = [...states, ...read].slice(-STATES);
    to = from;
  }
  clearTimeout(timer);
  return { kind: 'state-history', entities: byEntity(entityIds, read), isCut };
}
