import type { Milliseconds } from '../kit/units.ts';
import type { ScreenId } from '../screen/events.ts';
import type { Darkener, Feed, Gap, Moment, SleepInput, SleepSettings } from './events.ts';
import {
  clocksAfter,
  type FollowState,
  type GivenFeed,
  isOffHours,
  isSame,
  leaseNow,
  routine,
  rowOf,
} from './follow-state.ts';
import { isByHand } from './hands.ts';
import { nothingLearned } from './learned.ts';
import { noPresence, type Presence, presenceAfterFeed } from './presence.ts';

type Changes = Partial<FollowState>;
type Of<T extends SleepInput['type']> = Extract<SleepInput, { readonly type: T }>;

/** Gaps that the owner, or the house, arranged; the others pass by themselves. */
const arranged: readonly Gap[] = ['no-sensor', 'not-calibrated', 'no-device', 'no-area', 'no-sensors', 'all-excluded'];

const sourcesOf = ({ feed }: Presence) => (feed?.kind === 'live' ? feed.sources : []);

const isNone = ({ feed }: Presence): boolean =>
  feed?.kind === 'none' ? arranged.includes(feed.why) : feed?.kind === 'live' && feed.sources.length === 0;

/** Compared field by field, since a broken sensor may report a hundred times a second. */
function isSameFeed(one: Feed | null, other: Feed): boolean {
  if (one?.kind !== 'live' || other.kind !== 'live') return isSame(one, other);
  if (one.sources.length !== other.sources.length) return false;
  return one.sources.every((source, index) => {
    const same = other.sources[index];
    return source.key === same?.key && source.state === same.state;
  });
}

/** Since when each state of the sources lasts. */
function sinceChanges(state: FollowState, presence: Presence, elapsed: Milliseconds): Changes {
  const states = sourcesOf(presence).map((one) => one.state);
  const isAllOff = states.length > 0 && states.every((one) => one === 'off');
  const isNoneOn = states.includes('off') && !states.includes('on');
  return {
    allOffSince: isAllOff ? (state.allOffSince ?? elapsed) : null,
    noneOnSince: isNoneOn ? (state.noneOnSince ?? elapsed) : null,
    noneSince: isNone(presence) ? (state.noneSince ?? elapsed) : null,
  };
}

/** True if the displays are dark, or were to be: what sources report for the first time then is no reason to light. */
function isAsleep({ displays, darkened, rows }: FollowState): boolean {
  const isFree = (id: ScreenId): boolean => rowOf({ rows }, id).isReleased;
  const known = (displays ?? []).filter(({ id }) => !isFree(id));
  if (known.some(({ id }) => darkened[id] !== undefined)) return true;
  return known.length > 0 && known.every(({ lit }) => lit === false);
}

/** A set of sources has learned nothing of another one. */
function learnedOf({ learned }: FollowState, { feed, partition }: GivenFeed): FollowState['learned'] {
  return feed.kind !== 'live' || learned?.partition === partition ? learned : nothingLearned(partition);
}

function feedTaken(before: FollowState, given: GivenFeed, moment: Moment): Changes {
  const { elapsed } = moment;
  const learned = learnedOf(before, given);
  const state: FollowState = { ...before, learned };
  const { feed, position } = given;
  const asleep = isAsleep(state);
  const presence = presenceAfterFeed(before.presence, feed, position, elapsed, leaseNow(state, moment), asleep);
  if (presence === before.presence) return {};
  const [was, is] = [sourcesOf(before.presence), sourcesOf(presence)];
  const wasOn = new Set(was.filter((one) => one.state === 'on').map(({ key }) => key));
  const on = is.filter((one) => one.state === 'on');
  const isOther = !isSameFeed(before.presence.feed, feed) || presence.awakeUntil !== before.presence.awakeUntil;
  return {
    learned,
    ...(learned !== before.learned && before.learned !== null && routine(before)),
    presence,
    ...sinceChanges(before, presence, elapsed),
    cameOn: on.find(({ key }) => !wasOn.has(key))?.key ?? before.cameOn,
    ...((on.length > 0 || wasOn.size > 0) && { presentAt: elapsed }),
    ...(isOther && { isDue: true }),
  };
}

export function takeFeed(state: FollowState, { feed, position, partition }: Of<'feed'>, moment: Moment): Changes {
  const given = { feed, position, partition };
  const isOn = state.isStarted && state.settings?.enabled === true;
  return { given, ...(isOn && feedTaken(state, given, moment)) };
}

/** A restart lights displays; what a hand had darkened before it goes dark again. */
function darkAgain({ displays, rows, settings, isSuppressed }: FollowState): FollowState['rows'] {
  if (!isSuppressed || settings?.enabled !== true) return rows;
  const relit = (displays ?? []).filter((one) => one.lit === true && !isByHand(one));
  const borrowed = 'auto-sleep';
  return new Map([...rows, ...relit.map(({ id }) => [id, { ...rowOf({ rows }, id), borrowed }] as const)]);
}

/** Everything is known from now on; a feed that came before counts now. */
export function started(before: FollowState, moment: Moment): FollowState {
  const { settings, displays, isRecalled, isStarted, given } = before;
  if (isStarted || settings === null || displays === null || displays.length === 0 || !isRecalled) return before;
  const state: FollowState = { ...before, rows: darkAgain(before), isStarted: true, isDue: true };
  return given !== null && settings.enabled ? { ...state, ...feedTaken(state, given, moment) } : state;
}

/** What the sources darkened is lit, or at the end of off-hours, since those sources no longer count. */
function released(state: FollowState, { now }: Moment): Changes {
  const ids = Object.keys(state.darkened) as ScreenId[];
  if (ids.length === 0) return {};
  if (isOffHours(state, now)) {
    const clock: Darkener = 'clock';
    return { darkened: Object.fromEntries(ids.map((id) => [id, clock])), unkept: 'urgent' };
  }
  const freed = ids.map((id) => [id, { ...rowOf(state, id), isReleased: true }] as const);
  return { rows: new Map([...state.rows, ...freed]) };
}

/** Other sources, or none any more: nothing is known of them yet. */
function otherSources(before: FollowState, state: FollowState, moment: Moment): FollowState {
  const [was, is] = [before.settings, state.settings];
  if (was === null || is === null || (was.enabled === is.enabled && was.source === is.source)) return state;
  // A feed that came while nothing was wanted belongs to what is wanted now; one of mode `touch` is always the same.
  const isCurrent = !was.enabled || (is.source === 'touch' && state.given?.feed.kind === 'touch');
  const given = is.enabled && isCurrent ? state.given : null;
  const cleared: FollowState = {
    ...state,
    given,
    presence: noPresence,
    allOffSince: null,
    noneOnSince: null,
    noneSince: null,
    slept: null,
    ...(!is.enabled && { isSuppressed: false, ...(state.isSuppressed && { unkept: 'urgent' as const }) }),
    ...(was.enabled && is.enabled && released(state, moment)),
  };
  return given !== null && state.isStarted ? { ...cleared, ...feedTaken(cleared, given, moment) } : cleared;
}

/** Leases that began by other settings last no longer than one that begins now. */
function shortenedLeases(state: FollowState, moment: Moment): Pick<FollowState, 'presence' | 'handUntil'> {
  const { presence, handUntil } = state;
  const latest = moment.elapsed + leaseNow(state, moment);
  const { feed, awakeUntil } = presence;
  const isFixed = feed?.kind === 'touch' && awakeUntil !== null && awakeUntil > latest;
  return {
    presence: isFixed ? { ...presence, awakeUntil: latest, leaseFrom: moment.elapsed } : presence,
    handUntil: handUntil === null ? null : Math.min(handUntil, latest),
  };
}

export function takeSettings(before: FollowState, settings: SleepSettings, moment: Moment): Changes {
  if (isSame(before.settings, settings)) return {};
  const state: FollowState = {
    ...before,
    settings,
    ...shortenedLeases({ ...before, settings }, moment),
    clocks: clocksAfter(before, { settings }),
    entityUntil: settings.wakeOnEntity === '' ? null : before.entityUntil,
    announcementUntil: settings.wakeOnAnnouncement ? before.announcementUntil : null,
    isDue: true,
  };
  return otherSources(before, state, moment);
}
