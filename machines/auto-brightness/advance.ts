import type { Milliseconds } from '../kit/units.ts';
import type { LightMinute, Moment } from './events.ts';
import type { FollowState } from './follow-state.ts';
import { logOf } from './lux.ts';
import { credit } from './minutes.ts';
import { smoothed } from './smooth.ts';

/** Longest time that one reading is credited for, in milliseconds (as panel-assistant). */
const CREDIT_MS: Milliseconds = 60_000;
/** How long after a write the screen's own light may count as the room's, in milliseconds (the same source). */
const OWN_LIGHT_MS: Milliseconds = 5000;
/** A difference between the clocks that grows by more than this at once means that the wall clock was set. */
const CLOCK_SET_MS: Milliseconds = 5000;

type Rows = Pick<FollowState, 'open' | 'finished'>;

/** A span before `now`, in milliseconds back from it. */
interface Span {
  readonly from: Milliseconds;
  readonly to: Milliseconds;
  readonly isBaseline: boolean;
}

/** The credited span, cut where the light of the last write no longer counts. */
function spansOf({ isBrighter, writtenAt }: FollowState, gap: Milliseconds, elapsed: Milliseconds): readonly Span[] {
  if (isBrighter) return [{ from: gap, to: 0, isBaseline: false }];
  const clear = writtenAt === null ? gap : Math.min(gap, Math.max(0, elapsed - writtenAt - OWN_LIGHT_MS));
  return [
    { from: gap, to: clear, isBaseline: false },
    { from: clear, to: 0, isBaseline: true },
  ].filter(({ from, to }) => from > to);
}

function credited(state: FollowState, lux: number, gap: Milliseconds, { now, elapsed }: Moment): Rows {
  let rows: Rows = { open: state.open, finished: state.finished };
  for (const { from, to, isBaseline } of spansOf(state, gap, elapsed)) {
    const { open, finished } = credit({ open: rows.open }, { lux, from: now - from, to: now - to, isBaseline });
    rows = { open, finished: finished.length === 0 ? rows.finished : [...rows.finished, ...finished] };
  }
  return rows;
}

/**
 * The wall clock was set: the calendar goes by the new one, but the level stays until the light moves. A preference
 * keeps its age.
 */
function clockSet(state: FollowState, { now, elapsed }: Moment): Partial<FollowState> {
  const { held } = state;
  return {
    ...pinnedNow(state),
    ...(held !== null && {
      held: { ...held, preference: { ...held.preference, startedAt: Math.round(now - (elapsed - held.since)) } },
      unkeptSince: elapsed,
    }),
  };
}

/** Holds the automatic level of now until the light moves. */
export const pinnedNow = ({ automatic, pinned, lux }: FollowState): Pick<FollowState, 'pinned'> => ({
  pinned: pinned ?? (automatic === null || lux === null ? null : { automatic, log: logOf(lux) }),
});

/** A state after time has passed, and the minutes that became complete meanwhile. */
export interface Advanced {
  readonly state: FollowState;
  readonly complete: readonly LightMinute[];
}

/** Credits the time since the last input to the light that was measured then. */
export function advance(before: FollowState, moment: Moment): Advanced {
  const { now, elapsed } = moment;
  const offset = now - elapsed;
  const isSet = before.offset !== null && Math.abs(offset - before.offset) > CLOCK_SET_MS;
  const state = { ...before, ...(isSet && clockSet(before, moment)), offset, advancedAt: elapsed };
  const since = Math.max(0, elapsed - (before.advancedAt ?? elapsed));
  const { lux } = state;
  if (lux === null || since === 0) return { state, complete: [] };
  const gap = Math.min(since, CREDIT_MS);
  const { open, finished } = credited(state, lux, gap, moment);
  return {
    state: {
      ...state,
      open,
      finished,
      smoothedLog: smoothed(state.smoothedLog, logOf(lux), since),
      coveredMs: state.coveredMs + gap,
    },
    complete: finished.slice(before.finished.length),
  };
}
