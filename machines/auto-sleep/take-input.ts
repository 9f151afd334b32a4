import type { Milliseconds } from '../kit/units.ts';
import type { ScreenId } from '../screen/events.ts';
import { dimRecalled } from './dim.ts';
import type { LeaseReason, Moment, SleepDisplay, SleepInput } from './events.ts';
import {
  clocksAfter,
  type DisplayRow,
  type FollowState,
  isOffHours,
  isSame,
  leaseNow,
  routine,
  rowOf,
  withoutDisplay,
} from './follow-state.ts';
import { changesWith, type Hand, handOf, isByHand, rowAfter, switchOf } from './hands.ts';
import { learnedAfterGap, learnedAfterPremature, PREMATURE_MS } from './learned.ts';
import { MAXIMUM_LEASE_MS, presenceAfterActivity } from './presence.ts';
import { takeFeed, takeSettings } from './take-sources.ts';

/** A hand's lease within off-hours (order of the part: 2 min). */
const OFF_HOURS_LEASE_MS: Milliseconds = 120_000;
/** How long `wake_on_entity` lights. */
const ENTITY_MS: Milliseconds = 120_000;
/** How long the light of an announcement outlasts it. */
const ANNOUNCEMENT_TAIL_MS: Milliseconds = 10_000;
/** Touches, or approaches, closer to each other are one use, and no pause. */
const USE_MS: Milliseconds = 30_000;

type Changes = Partial<FollowState>;
type Of<T extends SleepInput['type']> = Extract<SleepInput, { readonly type: T }>;

const due: Changes = { isDue: true };

/** A person is there: the lease of presence begins again, and with a hand also the one that off-hours respect. */
function present(state: FollowState, reason: LeaseReason, isHand: boolean, moment: Moment): Changes {
  const { elapsed } = moment;
  const leaseMs = leaseNow(state, moment);
  // The hours begin an hour late at most, however long a touch counts otherwise.
  const handMs = isOffHours(state, moment.now) ? OFF_HOURS_LEASE_MS : Math.min(leaseMs, MAXIMUM_LEASE_MS);
  return {
    presence: presenceAfterActivity(state.presence, reason, elapsed, leaseMs),
    presentAt: elapsed,
    ...(isHand && { handUntil: Math.max(state.handUntil ?? -Infinity, elapsed + handMs) }),
    ...due,
  };
}

/** A hand switched a display off: nothing that lights it goes on. */
const handOff = (state: FollowState, elapsed: Milliseconds): Changes => ({
  handUntil: null,
  entityUntil: null,
  announcementUntil: null,
  isAnnouncementIgnored: state.holds.announcement,
  ...(state.settings?.enabled === true && { isSuppressed: true, suppressedAt: elapsed }),
});

function handTaken(before: FollowState, hand: Hand, moment: Moment): FollowState {
  const darkened = withoutDisplay(before.darkened, hand.screen);
  const state: FollowState = { ...before, darkened };
  const reason = hand.by === 'touch' || hand.by === 'wave' ? 'touch_lease' : 'hand_lease';
  const changes = hand.isOff
    ? handOff(state, moment.elapsed)
    : { ...present(state, reason, true, moment), isSuppressed: false };
  const after = { ...state, ...changes };
  const isKept = darkened !== before.darkened || after.isSuppressed !== before.isSuppressed;
  return {
    ...after,
    handChanged: hand.isLevel ? [...before.handChanged, hand.screen] : before.handChanged,
    unkept: isKept ? 'urgent' : before.unkept,
  };
}

/** A display that was not there before: what changed it is only of interest if the arbiter had darkened it. */
const firstSeen = (row: DisplayRow, { lit }: SleepDisplay): DisplayRow => ({ ...row, lit, pendingSince: null });

function takeDisplays(before: FollowState, displays: readonly SleepDisplay[], moment: Moment): Changes {
  if (isSame(before.displays, displays)) return {};
  const rows = new Map(before.rows);
  const hands: Hand[] = [];
  let { changes, darkened } = before;
  for (const after of displays) {
    const row = rowOf({ rows }, after.id);
    const known = before.displays?.find(({ id }) => id === after.id);
    if (known === undefined) {
      rows.set(after.id, firstSeen(row, after));
      if (isByHand(after)) darkened = withoutDisplay(darkened, after.id);
      continue;
    }
    const step = { before: known, after, row, elapsed: moment.elapsed };
    const hand = handOf(step);
    const change = switchOf(step);
    if (hand !== null) hands.push(hand);
    if (change !== null) changes = changesWith(changes, change);
    rows.set(after.id, rowAfter(step, hand));
  }
  const seen: FollowState = { ...before, displays, rows, changes, darkened, ...due };
  return hands.toSorted((a, b) => a.at - b.at).reduce((state, hand) => handTaken(state, hand, moment), seen);
}

/** What is lit only for a while, and then used, stays lit. */
const ownedRows = (rows: FollowState['rows'], displays: readonly SleepDisplay[]): FollowState['rows'] =>
  new Map([...rows].map(([id, row]) => [id, isLit(displays, id) ? { ...row, borrowed: null } : row]));

const isLit = (displays: readonly SleepDisplay[], id: ScreenId): boolean =>
  displays.some((one) => one.id === id && one.lit === true);

/** The pause since the last touch, or approach, is learned. */
function pauseLearned(
  { learned, settings, clocks }: FollowState,
  kind: 'touch' | 'approach',
  gapMs: Milliseconds,
  { now }: Moment,
): FollowState['learned'] {
  if (learned === null || settings?.enabled !== true || settings.source === 'touch') return learned;
  return gapMs < USE_MS ? learned : learnedAfterGap(learned, kind, gapMs, clocks.day(now));
}

const gapChanges = (state: FollowState, learned: FollowState['learned']): Changes =>
  learned === state.learned ? {} : { learned, ...routine(state) };

/** A touch right after the screen had gone off: the lease was too short. */
function prematureChanges({ slept, learned, settings }: FollowState, { now, elapsed }: Moment): Changes {
  if (slept === null || learned === null || settings?.enabled !== true || settings.source === 'touch') return {};
  if (elapsed - slept.at > PREMATURE_MS) return { slept: null };
  return { learned: learnedAfterPremature(learned, slept.leaseMs, now), slept: null, unkept: 'urgent' };
}

function takeTouch(before: FollowState, moment: Moment): Changes {
  const { elapsed } = moment;
  const gapMs = before.touchedAt === null ? 0 : elapsed - before.touchedAt;
  const taught = { ...before, ...gapChanges(before, pauseLearned(before, 'touch', gapMs, moment)) };
  const state: FollowState = { ...taught, ...prematureChanges(taught, moment) };
  const displays = state.displays ?? [];
  // A touch that lights a dark screen counts once that has changed.
  const isUse = displays.some(({ lit }) => lit === true);
  const touched = { ...state, ...present(state, 'touch_lease', isUse, moment), touchedAt: elapsed };
  if (!isUse) return touched;
  const rows = ownedRows(state.rows, displays);
  return { ...touched, rows, isSuppressed: false, ...(state.isSuppressed && { unkept: 'urgent' as const }) };
}

function takeApproach(before: FollowState, moment: Moment): Changes {
  const gapMs = before.approachedAt === null ? 0 : moment.elapsed - before.approachedAt;
  const state = { ...before, ...gapChanges(before, pauseLearned(before, 'approach', gapMs, moment)) };
  return { ...state, ...present(state, 'approach_lease', false, moment), approachedAt: moment.elapsed };
}

function takeHolds(state: FollowState, { holds }: Of<'holds'>, elapsed: Milliseconds): Changes {
  if (isSame(state.holds, holds)) return {};
  const hasEnded = state.holds.announcement && !holds.announcement;
  const lingers = hasEnded && state.settings?.wakeOnAnnouncement === true && !state.isAnnouncementIgnored;
  return {
    holds,
    ...(lingers && { announcementUntil: elapsed + ANNOUNCEMENT_TAIL_MS }),
    ...(!holds.announcement && { isAnnouncementIgnored: false }),
    ...due,
  };
}

function takePlace(state: FollowState, { place }: Of<'place'>): Changes {
  // The rules go by what was known last.
  if (place === null || isSame(state.place, place)) return {};
  return { place, clocks: clocksAfter(state, { place }), ...routine(state), ...due };
}

function takeRecalled(state: FollowState, { stored }: Of<'recalled'>, { elapsed }: Moment): Changes {
  if (state.isRecalled) return {};
  const place = state.place ?? stored.place;
  const byHand = (state.displays ?? []).filter(isByHand);
  const darkened = byHand.reduce((rows, { id }) => withoutDisplay(rows, id), stored.darkened);
  return {
    isRecalled: true,
    learned: stored.learned,
    darkened,
    isSuppressed: stored.isSuppressed,
    suppressedAt: stored.isSuppressed ? elapsed : null,
    place,
    clocks: clocksAfter(state, { place }),
    dim: dimRecalled(stored.dimmed ?? {}),
    ...due,
  };
}

const takeEntity = ({ settings }: FollowState, elapsed: Milliseconds): Changes =>
  settings === null || settings.wakeOnEntity === '' ? {} : { entityUntil: elapsed + ENTITY_MS, ...due };

/** What one input changes, before anything is decided. */
export function changesBy(state: FollowState, input: SleepInput, moment: Moment): Changes {
  switch (input.type) {
    case 'settings':
      return takeSettings(state, input.settings, moment);
    case 'place':
      return takePlace(state, input);
    case 'displays':
      return takeDisplays(state, input.displays, moment);
    case 'feed':
      return takeFeed(state, input, moment);
    case 'touched':
      return takeTouch(state, moment);
    case 'approached':
      return takeApproach(state, moment);
    case 'holds':
      return takeHolds(state, input, moment.elapsed);
    case 'entity.on':
      return takeEntity(state, moment.elapsed);
    case 'brightness':
      return state.isAutomatic === input.isAutomatic ? {} : { isAutomatic: input.isAutomatic, ...due };
    case 'recalled':
      return takeRecalled(state, input, moment);
    case 'tick':
    case 'stop':
      return {};
  }
}
