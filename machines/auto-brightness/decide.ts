import type { Milliseconds } from '../kit/units.ts';
import { THEME_MS, themeAfter } from './ambient-theme.ts';
import { boostAfter, boostShare, restingBoost } from './boost.ts';
import type { DisplayView, Level, Moment, RoomOutput, RoomView, Unavailable } from './events.ts';
import { DEFAULT_SPREAD } from './evidence.ts';
import { expectedLog, modeOf } from './expected.ts';
import type { Learned } from './fit.ts';
import type { Automatic, FollowState, Held } from './follow-state.ts';
import { logOf, luxOf } from './lux.ts';
import { isFar, type Told, writeIn } from './pace.ts';
import { authorityAt, isPreferenceOver, PREFERENCE_MS, preferredLevel } from './preference.ts';
import { automatic } from './target.ts';

/** Without a fit. */
const nothingLearned: Learned = { log: null, spread: DEFAULT_SPREAD, coveredDays: 0 };

const dimmable = ({ displays }: FollowState): readonly DisplayView[] =>
  (displays ?? []).filter(({ route }) => route !== null);

/** Why nothing can be decided; null if it can. */
function unavailable(state: FollowState): Unavailable | null {
  if (state.settings === null || state.displays === null) return 'starting';
  if (dimmable(state).length === 0) return 'no-display';
  return state.lux === null ? (state.why ?? 'starting') : null;
}

/** The light and what is expected of it, and the level that follows. */
function judged(state: FollowState, { now, elapsed }: Moment): FollowState {
  const { settings, lux, smoothedLog, fit } = state;
  if (settings === null || lux === null) return state;
  const learned = fit?.expectedAt(now) ?? nothingLearned;
  const mode = modeOf(state.coveredMs, learned.coveredDays);
  const measuredLog = logOf(lux);
  const expected = expectedLog(mode, smoothedLog ?? measuredLog, learned.log);
  const boost = boostAfter(state.boost, { measuredLog, expectedLog: expected, spread: learned.spread, elapsed });
  const share = boostShare(boost, elapsed);
  const range = fit?.range ?? null;
  const free = automatic({ mode, expectedLog: expected, measuredLog, share, settings, range });
  const level: Automatic = state.pinned?.automatic ?? free;
  return {
    ...state,
    boost,
    isBrighter: share > 0,
    mode,
    expectedLog: expected,
    automatic: level,
    ambient: themeAfter(state.ambient, level.fraction, elapsed),
  };
}

/** The level of the automatic: what the light asks for, under night's ceiling. */
const automaticLevel = ({ level }: Automatic, ceiling: Level | null): Level =>
  ceiling === null ? level : Math.min(level, ceiling);

/** A hand becomes the preference, or one that no longer differs from the automatic ends. */
function preferred(state: FollowState, { elapsed }: Moment): FollowState {
  const { hand, automatic: now, ceiling } = state;
  if (now === null) return state;
  const level = automaticLevel(now, ceiling);
  if (hand !== null) {
    const { origin, requested, at: startedAt, since } = hand;
    const held: Held = { preference: { origin, requested, automaticAtStart: level, startedAt }, since };
    return { ...state, held, hand: null, unkeptSince: since };
  }
  const { held } = state;
  if (held === null || !isPreferenceOver(held.preference, level, elapsed - held.since)) return state;
  return { ...state, held: null, unkeptSince: elapsed };
}

/** The level of all displays from now on; it stays within the deadband. */
function appliedNow(state: FollowState, { elapsed }: Moment): Level | null {
  const { automatic: now, ceiling, held, applied, isForced, lastStep } = state;
  if (now === null) return applied;
  const level = automaticLevel(now, ceiling);
  const target = held === null ? level : preferredLevel(held.preference, level, elapsed - held.since);
  const displays = dimmable(state);
  const current = applied ?? (displays.find(({ lit }) => lit === true) ?? displays[0])?.level ?? target;
  return isForced || isFar(current, target, lastStep) ? target : current;
}

interface Written {
  readonly told: FollowState['told'];
  readonly writtenAt: Milliseconds | null;
  readonly outputs: readonly RoomOutput[];
}

/** The displays that get the level now. */
function written(state: FollowState, level: Level, elapsed: Milliseconds): Written {
  const told = new Map(state.told);
  let { writtenAt } = state;
  const outputs = dimmable(state).flatMap((display): RoomOutput[] => {
    const { id, lit } = display;
    const row = told.get(id);
    if (writeIn(display, row, { level, isForced: state.isForced, elapsed }) !== 0) {
      told.set(id, row ?? { level: display.level, writtenAt: null });
      return [];
    }
    if (lit !== false) writtenAt = elapsed;
    const next: Told = { level, writtenAt: lit === false ? (row?.writtenAt ?? null) : elapsed };
    told.set(id, next);
    return [{ type: 'room.adjust', screen: id, level }];
  });
  return { told, writtenAt, outputs };
}

function preferenceView(held: Held | null, { now, elapsed }: Moment): RoomView['preference'] {
  if (held === null) return null;
  const age = elapsed - held.since;
  return { ...held.preference, endsAt: Math.round(now + PREFERENCE_MS - age), authority: authorityAt(age) };
}

function stateOf(state: FollowState, why: Unavailable | null): RoomView['state'] {
  if (why !== null) return 'unavailable';
  if (dimmable(state).every(({ lit }) => lit === false)) return 'dark';
  return state.held === null ? 'following' : 'preferred';
}

/** What the automatic asks for, and what holds it down. */
function targetView({ automatic: now, ceiling, lux }: FollowState): Pick<RoomView, 'automaticTarget' | 'heldTo'> {
  if (now === null || lux === null) return { automaticTarget: null, heldTo: null };
  const level = automaticLevel(now, ceiling);
  return { automaticTarget: level, heldTo: level < now.level ? level : null };
}

const ambientView = ({ ambient, automatic: now, lux }: FollowState, { now: at, elapsed }: Moment) => ({
  verdict: ambient.verdict,
  level: lux === null ? null : (now?.fraction ?? null),
  changesAt: ambient.pending === null ? null : Math.round(at + ambient.pending.since + THEME_MS - elapsed),
});

/** The decision as others see it. */
function viewOf(state: FollowState, moment: Moment): RoomView {
  const why = unavailable(state);
  const isKnown = state.lux !== null;
  return {
    state: stateOf(state, why),
    why,
    sourceKind: state.why === 'no-source' ? null : state.kind,
    sourceAvailable: isKnown,
    sourceRevision: state.revision,
    latestLux: state.lux,
    expectedLux: isKnown && state.expectedLog !== null ? luxOf(state.expectedLog) : null,
    ...targetView(state),
    appliedTarget: state.applied,
    mode: isKnown ? state.mode : null,
    brighter: state.isBrighter,
    preference: preferenceView(state.held, moment),
    ambient: ambientView(state, moment),
    coveredDays: state.fit?.expectedAt(moment.now).coveredDays ?? 0,
    historyFault: state.historyFault,
  };
}

/** Nothing is on its way while nothing can be decided. */
const atRest = (state: FollowState): FollowState => ({
  ...state,
  boost: restingBoost,
  isBrighter: false,
  ambient: { ...state.ambient, pending: null },
});

/** One decision: what everything that happened since the last one means. */
export function decide(
  before: FollowState,
  moment: Moment,
): { readonly state: FollowState; readonly outputs: readonly RoomOutput[] } {
  const { now, elapsed } = moment;
  const isPossible = unavailable(before) === null;
  const weighed = isPossible ? preferred(judged(before, moment), moment) : atRest(before);
  const applied = isPossible ? appliedNow(weighed, moment) : weighed.applied;
  const { applied: from } = weighed;
  const lastStep = from === null || applied === null || from === applied ? weighed.lastStep : { from, to: applied };
  const targeted = { ...weighed, applied, lastStep };
  const { outputs, ...told } =
    isPossible && applied !== null
      ? written(targeted, applied, elapsed)
      : { told: targeted.told, writtenAt: targeted.writtenAt, outputs: [] };
  const state: FollowState = {
    ...targeted,
    ...told,
    isDue: false,
    // What is forced waits until it can be decided.
    isForced: targeted.isForced && !isPossible,
    decidedAt: elapsed,
    decidedLog: targeted.lux === null ? null : logOf(targeted.lux),
    decidedSmooth: targeted.smoothedLog,
  };
  const view = viewOf(state, moment);
  return { state: { ...state, view }, outputs: [{ type: 'room.decided', view, at: now }, ...outputs] };
}
