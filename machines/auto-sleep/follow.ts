import type { EpochMs, Milliseconds } from '../kit/units.ts';
import { decide, sourcelessAt, storedOf, suppressedUntil } from './decide.ts';
import type { Moment, RuleView, SleepFollow, SleepInput, SleepOutput } from './events.ts';
import { type FollowState, initialState, unknownSleep } from './follow-state.ts';
import { changesBy } from './take-input.ts';
import { started } from './take-sources.ts';

/** Least time between two decisions. */
const SPACING_MS: Milliseconds = 250;
/** Time between two looks at the wall clock while a rule goes by it, or an end is named: it may be set at any time. */
const CLOCK_MS: Milliseconds = 60_000;
/** From this on the wall clock was set, or the machine was suspended; less is drift. */
const SET_MS: Milliseconds = 2000;
/** Least time between two writes of what was learned. */
const KEEP_MS: Milliseconds = 60_000;

/** When the wall clock is looked at, on the monotonic one, as far as it is not set meanwhile. */
function clockDue({ clocks, view, checkedAt }: FollowState, { now, elapsed }: Moment): Milliseconds {
  const isRead = clocks.isUsed || view.until !== null;
  if (!isRead || checkedAt === null) return Infinity;
  const changes = [view.offHours.changesAt, view.dim.changesAt].flatMap((at) => (at === null ? [] : [at]));
  const next: EpochMs = Math.min(Infinity, ...changes);
  return Math.min(checkedAt + CLOCK_MS, Math.max(elapsed, elapsed + next - now));
}

const isSameRule = (one: RuleView, other: RuleView): boolean =>
  one.isActive === other.isActive && one.changesAt === other.changesAt && one.why === other.why;

/** The times that were named are not those of the clock that was set. */
const isClockSet = ({ clockAhead }: FollowState, { now, elapsed }: Moment): boolean =>
  clockAhead !== null && Math.abs(now - elapsed - clockAhead) > SET_MS;

/** A rule that the wall clock has changed is a reason to decide, and so is a clock that was set. */
function clockChecked(before: FollowState, moment: Moment): FollowState {
  const state = isClockSet(before, moment) ? { ...before, isDue: true } : before;
  if (clockDue(state, moment) > moment.elapsed) return state;
  const { clocks, view } = state;
  const isKept = isSameRule(clocks.off(moment.now), view.offHours) && isSameRule(clocks.dim(moment.now), view.dim);
  return { ...state, checkedAt: moment.elapsed, isDue: state.isDue || !isKept };
}

/** When the next decision is due, on the monotonic clock. */
function decisionDue(state: FollowState, moment: Moment): Milliseconds {
  const { decidedAt, isDue, isStarted } = state;
  if (decidedAt === null) return isDue ? moment.elapsed : Infinity;
  if (!isStarted) return isDue ? decidedAt + SPACING_MS : Infinity;
  const ends = [
    state.handUntil,
    state.entityUntil,
    state.announcementUntil,
    state.settings?.enabled === true ? state.presence.awakeUntil : null,
    suppressedUntil(state),
    sourcelessAt(state),
    state.orderAt,
  ];
  // What has passed was part of the last decision.
  const next = ends.filter((at) => at !== null && at > decidedAt).map(Number);
  const due = Math.min(isDue ? decidedAt : Infinity, ...next);
  return Math.max(decidedAt + SPACING_MS, due);
}

function keepDue({ unkept, keptAt }: FollowState): Milliseconds {
  if (unkept === null) return Infinity;
  return unkept === 'urgent' || keptAt === null ? -Infinity : keptAt + KEEP_MS;
}

type Step = readonly [FollowState, readonly SleepOutput[]];

/** Before everything is known, only that is decided. */
function undecided(state: FollowState, { now, elapsed }: Moment): ReturnType<typeof decide> {
  const isOff = state.settings?.enabled === false;
  const view = isOff ? { ...unknownSleep, phase: 'off' as const, reason: 'disabled' as const } : unknownSleep;
  return {
    state: { ...state, view, isDue: false, decidedAt: elapsed },
    outputs: [{ type: 'sleep.decided', view, ceiling: null, at: now }],
  };
}

/** Keeps what is due, or at the end anything; nothing before it is known what was stored. */
function kept(state: FollowState, { elapsed }: Moment, isEnd: boolean): Step {
  const isUrgent = state.unkept === 'urgent' || isEnd;
  if (!state.isRecalled || state.unkept === null || (!isEnd && keepDue(state) > elapsed)) return [state, []];
  return [{ ...state, unkept: null, keptAt: elapsed }, [{ type: 'keep', stored: storedOf(state), isUrgent }]];
}

function step(before: FollowState, input: SleepInput, moment: Moment): Step {
  const isEnd = input.type === 'stop';
  const changed = clockChecked(started({ ...before, ...changesBy(before, input, moment) }, moment), moment);
  const isDecided = !isEnd && decisionDue(changed, moment) <= moment.elapsed;
  const decideNow = changed.isStarted ? decide : undecided;
  const { state, outputs } = isDecided ? decideNow(changed, moment) : { state: changed, outputs: [] };
  // What is to be switched is kept first: the power may fail in between.
  const [next, keeps] = kept(state, moment, isEnd);
  return [next, [...keeps, ...outputs]];
}

/** Follows sources, hands, hours and displays: each decision of the arbiter, without a clock, a timer or a file. */
export function followSleep(): SleepFollow {
  let state = initialState;
  return {
    take: (input, moment) => {
      const [next, outputs] = step(state, input, moment);
      state = next;
      return outputs;
    },
    dueIn: (moment) => {
      const keep = state.isRecalled ? keepDue(state) : Infinity;
      const due = Math.min(decisionDue(state, moment), clockDue(state, moment), keep) - moment.elapsed;
      return due === Infinity ? Infinity : Math.max(0, Math.ceil(due));
    },
  };
}
