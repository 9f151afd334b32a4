import type { EpochMs, Milliseconds } from '../kit/units.ts';
import { type Advanced, advance } from './advance.ts';
import { THEME_MS } from './ambient-theme.ts';
import { isBoostMoving } from './boost.ts';
import { decide } from './decide.ts';
import type { LightMinute, Moment, RoomOutput } from './events.ts';
import { FIT_MS } from './fit.ts';
import { type FollowState, initialState } from './follow-state.ts';
import { logOf } from './lux.ts';
import { joinMinutes, RETAINED_MINUTES } from './minutes.ts';
import { writeIn } from './pace.ts';
import type { RoomInput } from './room-input.ts';
import { smoothMovesIn } from './smooth.ts';
import { changesBy, isLate, NOTABLE_LOG } from './take-input.ts';

/** Least time between two decisions (as panel-assistant, "Cadence and actuation", as those below). */
const SPACING_MS: Milliseconds = 250;
/** Time between decisions while the boost moves by itself. */
const MOVING_MS: Milliseconds = 1000;
/** Time between decisions while nothing moves. */
const CALM_MS: Milliseconds = 60_000;
/** A preference is kept once it has not changed for this long: a slider is dragged. */
const KEEP_MS: Milliseconds = 2000;

/** Decides about one room, and keeps the state between two inputs. */
export interface Follow {
  readonly take: (input: RoomInput, moment: Moment) => readonly RoomOutput[];
  /** In how many whole milliseconds the next `tick` is needed, at most 60,000. */
  readonly dueIn: (moment: Moment) => Milliseconds;
  /** The minutes of the last seven days, the one under way included. */
  readonly minutes: (moment: Moment) => readonly LightMinute[];
}

/** When a display whose write has to wait may be written. */
function paceEnd({ displays, told, applied }: FollowState, elapsed: Milliseconds): Milliseconds {
  if (applied === null) return Infinity;
  const waits = (displays ?? []).flatMap((display) => {
    const row = told.get(display.id);
    const wait = row === undefined ? null : writeIn(display, row, { level: applied, isForced: false, elapsed });
    return wait === null || wait === 0 ? [] : [elapsed + wait];
  });
  return Math.min(Infinity, ...waits);
}

/** When the smoothed light will have changed as much as a reading that is worth a decision. */
function settlesAt({ lux, smoothedLog, decidedSmooth, advancedAt }: FollowState): Milliseconds {
  if (lux === null || smoothedLog === null || decidedSmooth === null || advancedAt === null) return Infinity;
  const moves = smoothMovesIn(smoothedLog, logOf(lux), decidedSmooth, NOTABLE_LOG);
  return moves === null ? Infinity : advancedAt + moves;
}

/** When the next decision is due, on the monotonic clock. */
function decisionDue(state: FollowState, elapsed: Milliseconds): Milliseconds {
  const { decidedAt, isDue, boost, ambient } = state;
  if (decidedAt === null) return elapsed;
  const due = Math.min(
    isDue ? decidedAt : Infinity,
    isBoostMoving(boost) ? decidedAt + MOVING_MS : Infinity,
    decidedAt + CALM_MS,
    settlesAt(state),
    ambient.pending === null ? Infinity : ambient.pending.since + THEME_MS,
    paceEnd(state, elapsed),
  );
  return Math.max(decidedAt + SPACING_MS, due);
}

const keepDue = ({ unkeptSince }: FollowState): Milliseconds =>
  unkeptSince === null ? Infinity : unkeptSince + KEEP_MS;

/** All minutes until now, sorted. Usually the newer ones come right after the others, and nothing has to be joined. */
function allMinutes({ minutes, finished, open }: FollowState, now: EpochMs): readonly LightMinute[] {
  const current = Math.floor(now / 60_000);
  const newer = [...finished, ...open];
  const all = [...minutes, ...newer];
  const isSorted = newer.every(({ minute }, index) => minute > (all[minutes.length + index - 1]?.minute ?? -1));
  if (!isSorted || (all.at(-1)?.minute ?? current) > current) return joinMinutes(all, current);
  return all.filter(({ minute }) => minute > current - RETAINED_MINUTES);
}

const keptMinutes = (minutes: readonly LightMinute[]): readonly RoomOutput[] =>
  minutes.length === 0 ? [] : [{ type: 'keep.minutes', minutes }];

/** True if the source before this input is another one afterwards, or there is none: its minutes are complete. */
const endsSession = ({ revision }: FollowState, input: RoomInput): boolean =>
  input.type === 'stop' ||
  input.type === 'source' ||
  (input.type === 'place' && input.revision !== undefined && input.revision !== revision);

/** Asks for a fit, at most every five minutes. */
function fitAsked(state: FollowState, { now, elapsed }: Moment): readonly [FollowState, readonly RoomOutput[]] {
  const { fitAskedAt, minutes, finished, place = null, revision } = state;
  if (fitAskedAt !== null && elapsed - fitAskedAt < FIT_MS) return [state, []];
  if (minutes.length + finished.length === 0) return [state, []];
  const joined = allMinutes({ ...state, open: [] }, now);
  return [
    { ...state, minutes: joined, finished: [], fitAskedAt: elapsed },
    [{ type: 'want.fit', minutes: joined, place, at: now, revision }],
  ];
}

/** Keeps a preference that has settled, or at the end any. */
function preferenceKept(
  state: FollowState,
  elapsed: Milliseconds,
  isEnd: boolean,
): readonly [FollowState, readonly RoomOutput[]] {
  if (keepDue(state) > elapsed && !(isEnd && state.unkeptSince !== null)) return [state, []];
  const preference = state.held?.preference ?? null;
  return [{ ...state, unkeptSince: null }, [{ type: 'keep.preference', preference }]];
}

function step(before: FollowState, input: RoomInput, moment: Moment): readonly [FollowState, readonly RoomOutput[]] {
  if (isLate(before, input)) return [before, []];
  const { state: advanced, complete }: Advanced = advance(before, moment);
  const isEnd = input.type === 'stop';
  const minutes = endsSession(advanced, input) ? [...complete, ...advanced.open] : complete;
  const changed: FollowState = { ...advanced, ...changesBy(advanced, input, moment), ...(isEnd && { open: [] }) };
  const outputs = [...keptMinutes(minutes)];
  let state = changed;
  if (!isEnd && decisionDue(changed, moment.elapsed) <= moment.elapsed) {
    const decided = decide(changed, moment);
    const [fitting, fit] = fitAsked(decided.state, moment);
    state = fitting;
    outputs.push(...decided.outputs, ...fit);
  }
  const [kept, preference] = preferenceKept(state, moment.elapsed, isEnd);
  return [kept, [...outputs, ...preference]];
}

/** Follows the light of one room: every decision of the automatic brightness, without a clock, a timer or a file. */
export function followRoom(): Follow {
  let state = initialState;
  return {
    take: (input, moment) => {
      const [next, outputs] = step(state, input, moment);
      state = next;
      return outputs;
    },
    dueIn: ({ elapsed }) => Math.max(0, Math.ceil(Math.min(decisionDue(state, elapsed), keepDue(state)) - elapsed)),
    minutes: ({ now }) => allMinutes(state, now),
  };
}
