import type { Milliseconds } from '../kit/units.ts';
import type { Holds, SleepReason } from './events.ts';
import type { PresenceVerdict } from './presence.ts';

/** Everything that decides about the screen. All times are of the monotonic clock. */
export interface Situation {
  /** Null while `auto_sleep` is off. */
  readonly presence: PresenceVerdict | null;
  readonly holds: Holds;
  /** Ends of what a hand, the entity and an announcement began; null if none is running. */
  readonly handUntil: Milliseconds | null;
  readonly entityUntil: Milliseconds | null;
  readonly announcementUntil: Milliseconds | null;
  readonly isOffHours: boolean;
  /** A hand switched the screen off; `until` if it is known when presence counts again. Null if none did. */
  readonly suppression: { readonly until: Milliseconds | null } | null;
  readonly at: Milliseconds;
}

export interface Verdict {
  /** `leave`: neither switched on nor off. */
  readonly screen: 'on' | 'off' | 'leave';
  readonly reason: SleepReason;
  /** When `screen` changes if nothing happens before; null if it does not, or if it is not known. */
  readonly until: Milliseconds | null;
}

interface Keeper {
  readonly reason: SleepReason;
  readonly until: Milliseconds | null;
}

const timed = (reason: SleepReason, until: Milliseconds | null, at: Milliseconds): readonly Keeper[] =>
  until !== null && until > at ? [{ reason, until }] : [];

const held = (reason: SleepReason, isHeld: boolean): readonly Keeper[] => (isHeld ? [{ reason, until: null }] : []);

const isLonger = (one: Milliseconds | null, other: Milliseconds | null): boolean =>
  one === null || (other !== null && one >= other);

const latest = (keepers: readonly Keeper[]): Milliseconds | null =>
  keepers.reduce<Milliseconds | null>((until, one) => (isLonger(until, one.until) ? until : one.until), -Infinity);

/** What holds the screen lit, the most important first. */
function keepersOf({ holds, handUntil, entityUntil, announcementUntil, at }: Situation): readonly Keeper[] {
  return [
    ...timed('hand_lease', handUntil, at),
    ...(holds.announcement ? held('announcement', true) : timed('announcement', announcementUntil, at)),
    ...held('calibration', holds.calibration),
    ...held('own_pages', holds.ownPages),
    ...held('dashboard', holds.dashboard),
    ...timed('entity', entityUntil, at),
  ];
}

/** The lease of presence; none within off-hours, or after a hand switched the screen off. */
function presenceKeeper({ presence, isOffHours, suppression }: Situation): readonly Keeper[] {
  if (presence?.verdict !== 'hold' || isOffHours || suppression !== null) return [];
  return [{ reason: presence.reason, until: presence.until }];
}

/** A hand's lease is also one of presence, which names it better as long as it lasts as long. */
function reasonOf(keeper: Keeper, present: Keeper | undefined): SleepReason {
  if (keeper.reason !== 'hand_lease' || present === undefined) return keeper.reason;
  return isLonger(present.until, keeper.until) ? present.reason : keeper.reason;
}

function unheld({ presence, isOffHours, suppression }: Situation): Verdict {
  if (isOffHours) return { screen: 'off', reason: 'screen_off_hours', until: null };
  if (presence === null) return { screen: 'leave', reason: 'disabled', until: null };
  if (presence.verdict === 'sleep') return { screen: 'off', reason: presence.reason, until: null };
  if (suppression !== null) return { screen: 'leave', reason: 'manual_suppression', until: suppression.until };
  if (presence.verdict === 'hold') return { screen: 'on', reason: presence.reason, until: presence.until };
  return { screen: 'leave', reason: presence.reason, until: null };
}

/** While nothing would switch the screen off, only what may also light it counts. */
const isWaking = ({ reason }: Keeper): boolean => reason === 'announcement' || reason === 'entity';

/**
 * On, off or neither, by the first that applies: what holds the screen lit (a hand's lease, an announcement, a guided
 * calibration, the panel's own pages, a dashboard, the entity), the hours in which it is off, a hand that switched it
 * off, the sources of presence and their leases.
 */
export function arbitrate(now: Situation): Verdict {
  const isIdle = now.presence === null && !now.isOffHours;
  const keepers = keepersOf(now).filter((keeper) => !isIdle || isWaking(keeper));
  const [first] = keepers;
  if (first === undefined) return unheld(now);
  const present = presenceKeeper(now);
  return { screen: 'on', reason: reasonOf(first, present[0]), until: latest([...keepers, ...present]) };
}
