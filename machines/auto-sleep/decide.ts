import type { Milliseconds } from '../kit/units.ts';
import type { ScreenId } from '../screen/events.ts';
import { arbitrate, type Situation, type Verdict } from './arbitrate.ts';
import { decidedView } from './decided-view.ts';
import { dimAfter, dimmedLevels } from './dim.ts';
import type { Holds, Moment, SleepDisplay, SleepOutput, SleepSet, StoredSleep } from './events.ts';
import { type DisplayRow, type FollowState, isSame, leaseNow, rowOf, withoutDisplay } from './follow-state.ts';
import { orderAt, type Plan, planned, type Planned, REPEAT_MS } from './orders.ts';
import { MAXIMUM_LEASE_MS, presenceVerdict } from './presence.ts';

/** How long all sources have to be off until presence may light what a hand switched off. */
const EMPTY_MS: Milliseconds = 600_000;
/** How long there have to be no sources until what they darkened is lit: a list may be read again. */
const SOURCELESS_MS: Milliseconds = 10_000;

const noHolds: Holds = { announcement: false, calibration: false, ownPages: false, dashboard: false };

const since = (one: Milliseconds | null, other: Milliseconds | null): Milliseconds | null =>
  one === null ? null : Math.max(one, other ?? -Infinity);

/** When a hand's OFF counts no more, if the sources stay as they are; null if it does not end. */
export function suppressedUntil(state: FollowState): Milliseconds | null {
  const { isSuppressed, suppressedAt, allOffSince, noneOnSince } = state;
  if (!isSuppressed) return null;
  const [all, none] = [since(allOffSince, suppressedAt), since(noneOnSince, suppressedAt)];
  if (all === null && none === null) return null;
  // Where a source is unavailable, a person may be: as long as the longest lease.
  return Math.min(all === null ? Infinity : all + EMPTY_MS, none === null ? Infinity : none + MAXIMUM_LEASE_MS);
}

/** When it is certain that no sources are configured. */
export const sourcelessAt = ({ noneSince }: FollowState): Milliseconds | null =>
  noneSince === null ? null : noneSince + SOURCELESS_MS;

const isOver = (until: Milliseconds | null, { elapsed }: Moment): boolean => until !== null && until <= elapsed;

/** Presence counts again, and the arbiter takes over what is dark. */
function rearmed(state: FollowState, { elapsed }: Moment): FollowState {
  const dark = (state.displays ?? []).filter(({ id, lit }) => lit === false && state.darkened[id] === undefined);
  const taken = Object.fromEntries(dark.map(({ id }) => [id, 'auto-sleep' as const]));
  const adopted = dark.map(({ id }) => [id, { ...rowOf(state, id), adoptedAt: elapsed }] as const);
  const rows = new Map([...state.rows, ...adopted]);
  // Of the room that the person left.
  const presence = { ...state.presence, awakeUntil: null, leaseFrom: null, leaseReason: null };
  const darkened = { ...state.darkened, ...taken };
  return { ...state, rows, presence, isSuppressed: false, darkened, unkept: 'urgent' };
}

/** What has run out by now is over. */
function expired(state: FollowState, moment: Moment): FollowState {
  const { handUntil, entityUntil, announcementUntil } = state;
  const after: FollowState = {
    ...state,
    handUntil: isOver(handUntil, moment) ? null : handUntil,
    entityUntil: isOver(entityUntil, moment) ? null : entityUntil,
    announcementUntil: isOver(announcementUntil, moment) ? null : announcementUntil,
  };
  return isOver(suppressedUntil(after), moment) ? rearmed(after, moment) : after;
}

/** True while an announcement may light dark displays. */
const isWakingAnnouncement = ({ settings, isAnnouncementIgnored }: FollowState): boolean =>
  settings?.wakeOnAnnouncement === true && !isAnnouncementIgnored;

/** What holds a lit screen lit does not light a dark one; nor does it hold one that is lit only for a while. */
function holdsNow(state: FollowState): Holds {
  const { holds, displays } = state;
  const isLit = (displays ?? []).some(({ id, lit }) => lit === true && rowOf(state, id).borrowed === null);
  return isLit ? holds : { ...noHolds, announcement: holds.announcement && isWakingAnnouncement(state) };
}

const situationOf = (state: FollowState, isOffHours: boolean, { elapsed }: Moment): Situation => ({
  presence: state.settings?.enabled === true ? presenceVerdict(state.presence, elapsed) : null,
  holds: holdsNow(state),
  handUntil: state.handUntil,
  entityUntil: state.entityUntil,
  announcementUntil: state.announcementUntil,
  isOffHours,
  suppression: state.isSuppressed ? { until: suppressedUntil(state) } : null,
  at: elapsed,
});

function wakingOf(state: FollowState): Plan['waking'] {
  const { holds, announcementUntil, entityUntil } = state;
  if ((holds.announcement && isWakingAnnouncement(state)) || announcementUntil !== null) return 'announcement';
  return entityUntil === null ? null : 'entity';
}

interface Ordered {
  readonly state: FollowState;
  readonly sets: readonly SleepSet[];
}

/** Gives one display its order, or waits until it may. */
function ordered({ state, sets }: Ordered, display: SleepDisplay, plan: Plan, moment: Moment): Ordered {
  const { id } = display;
  const { elapsed } = moment;
  const row = rowOf(state, id);
  const known = state.darkened[id];
  const next: Planned = planned(display, row, known, plan);
  const { order } = next;
  const at = order === null ? elapsed : orderAt(display, row, order, plan);
  const adoptedAt = next.darkened === undefined ? null : row.adoptedAt;
  const rest: DisplayRow = { ...row, borrowed: next.borrowed, isReleased: next.isReleased, adoptedAt };
  // What waits changes nothing yet.
  if (at > elapsed) return { state: { ...state, orderAt: Math.min(state.orderAt, at) }, sets };
  const darkened =
    next.darkened === undefined ? withoutDisplay(state.darkened, id) : { ...state.darkened, [id]: next.darkened };
  const { reason } = plan.verdict;
  const sourceKey = order?.on === true && reason === 'source_active' ? state.cameOn : null;
  const told = order === null ? row.told : { on: order.on, at: elapsed, reason, sourceKey, isAnswered: false };
  const isSlept = order?.on === false && reason === 'lease_expired' && known === undefined && row.borrowed === null;
  return {
    state: {
      ...state,
      darkened,
      rows: new Map([...state.rows, [id, { ...rest, told }]]),
      orderAt: order === null ? state.orderAt : Math.min(state.orderAt, elapsed + REPEAT_MS),
      ...(isSlept && { slept: { at: elapsed, leaseMs: leaseNow(state, moment) } }),
    },
    sets: order === null ? sets : [...sets, { type: 'sleep.set', screen: id, ...order }],
  };
}

function allOrdered(before: FollowState, plan: Plan, moment: Moment): Ordered {
  const start: Ordered = { state: { ...before, orderAt: Infinity }, sets: [] };
  const { state, sets } = (before.displays ?? []).reduce((done, one) => ordered(done, one, plan, moment), start);
  const isKept = isSame(before.darkened, state.darkened);
  return { state: isKept ? state : { ...state, unkept: 'urgent' }, sets };
}

/** Only what is lit for certain, and stays so, may be given a level: that would light it. */
function dimmable({ displays, rows }: FollowState, sets: readonly SleepSet[]): readonly SleepDisplay[] {
  return (displays ?? []).map((display) => {
    const isSwitched = sets.some(({ screen }) => screen === display.id);
    const isSure = !isSwitched && rowOf({ rows }, display.id).pendingSince === null;
    return display.lit === true && !isSure ? { ...display, lit: null } : display;
  });
}

function dimmed({ state, sets }: Ordered, moment: Moment): Ordered & { readonly ceiling: number | null } {
  const { isActive } = state.clocks.dim(moment.now);
  const { isAutomatic, handChanged, settings } = state;
  const displays = dimmable(state, sets);
  const percent = settings?.dimPercent ?? 100;
  const { dim, sets: levels, ceiling } = dimAfter(state.dim, { isActive, percent, isAutomatic, displays, handChanged });
  const isKept = isSame(dimmedLevels(state.dim), dimmedLevels(dim));
  const adjusted = levels.map((one): SleepSet => ({ type: 'sleep.set', ...one, origin: 'clock' }));
  const unkept = isKept ? state.unkept : 'urgent';
  return { state: { ...state, dim, handChanged: [], unkept }, sets: [...sets, ...adjusted], ceiling };
}

/** What is to be kept across a restart. */
export const storedOf = ({ learned, darkened, isSuppressed, dim, place }: FollowState): StoredSleep => ({
  learned,
  darkened,
  isSuppressed,
  dimmed: dimmedLevels(dim),
  place,
});

/** Ids of the displays that the arbiter darkened. */
const asleepOf = ({ darkened }: FollowState): readonly ScreenId[] => Object.keys(darkened) as ScreenId[];

function planOf(state: FollowState, verdict: Verdict, isOffHours: boolean, moment: Moment): Plan {
  const { touchedAt, presentAt } = state;
  const { elapsed } = moment;
  const isPresent = state.settings?.enabled === true && presenceVerdict(state.presence, elapsed).verdict === 'hold';
  const isWanted = (isPresent && !state.isSuppressed) || state.handUntil !== null;
  const isSourceless = state.settings?.enabled === true && isOver(sourcelessAt(state), moment);
  return { verdict, isOffHours, waking: wakingOf(state), isSourceless, isWanted, touchedAt, presentAt, elapsed };
}

/** One decision: what everything that happened since the last one means. */
export function decide(
  before: FollowState,
  moment: Moment,
): { readonly state: FollowState; readonly outputs: readonly SleepOutput[] } {
  const { now, elapsed } = moment;
  const current = expired(before, moment);
  const offHours = current.clocks.off(now);
  const verdict = arbitrate(situationOf(current, offHours.isActive, moment));
  const orders = allOrdered(current, planOf(current, verdict, offHours.isActive, moment), moment);
  const { state, sets, ceiling } = dimmed(orders, moment);
  const view = decidedView(state, verdict, asleepOf(state), moment);
  return {
    state: { ...state, view, isDue: false, decidedAt: elapsed, checkedAt: elapsed, clockAhead: now - elapsed },
    outputs: [{ type: 'sleep.decided', view, ceiling, at: now }, ...sets],
  };
}
