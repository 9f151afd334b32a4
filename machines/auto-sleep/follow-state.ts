import type { Place } from '../auto-brightness/events.ts';
import type { EpochMs, Milliseconds } from '../kit/units.ts';
import { zoneClock } from '../kit/zone.ts';
import type { ScreenId } from '../screen/events.ts';
import { type Dim, notDimmed } from './dim.ts';
import type {
  Feed,
  FeedPosition,
  Holds,
  Learned,
  Moment,
  RuleView,
  SleepChange,
  SleepDisplay,
  SleepReason,
  SleepSettings,
  SleepView,
  StoredSleep,
} from './events.ts';
import { parsedHours } from './hours-text.ts';
import { hoursClock } from './hours.ts';
import { leaseOf } from './learned.ts';
import { noPresence, type Presence } from './presence.ts';

/** What a display was told last. */
interface Told {
  /** Null once something else switched it: another order may follow at once, but for the pause between two. */
  readonly on: boolean | null;
  readonly at: Milliseconds;
  readonly reason: SleepReason;
  readonly sourceKey: string | null;
  /** True once the display has reported a change by it. */
  readonly isAnswered: boolean;
}

/** What is known of one display beside its state. */
export interface DisplayRow {
  readonly told: Told | null;
  /** Its state after the last change that was reported with its cause. */
  readonly lit: boolean | null;
  /** Since when its state is another one without a cause: a request is being written. Null if it is not. */
  readonly pendingSince: Milliseconds | null;
  /** It is lit only for this, or by a restart (`auto-sleep`), and then dark as before. */
  readonly borrowed: 'announcement' | 'entity' | 'auto-sleep' | null;
  /** It was darkened by sources that no longer count. */
  readonly isReleased: boolean;
  /** When the arbiter took it over from a hand: only a person who comes later lights it. Null if it did not. */
  readonly adoptedAt: Milliseconds | null;
}

const newRow: DisplayRow = {
  told: null,
  lit: null,
  pendingSince: null,
  borrowed: null,
  isReleased: false,
  adoptedAt: null,
};

/** The owner's hours and days, bound to a place. */
export interface Clocks {
  readonly off: (now: EpochMs) => RuleView;
  readonly dim: (now: EpochMs) => RuleView;
  /** Days since 1970-01-01 of the place's calendar. */
  readonly day: (now: EpochMs) => number;
  /** False if no rule goes by the wall clock. */
  readonly isUsed: boolean;
}

export interface GivenFeed {
  readonly feed: Feed;
  readonly position: FeedPosition;
  readonly partition: string;
}

/** Everything that is kept between two inputs. Times are of the monotonic clock, and null if there was none. */
export interface FollowState {
  readonly settings: SleepSettings | null;
  readonly place: Place | null;
  readonly clocks: Clocks;
  /** Null before they are known. */
  readonly displays: readonly SleepDisplay[] | null;
  readonly rows: ReadonlyMap<ScreenId, DisplayRow>;
  readonly isRecalled: boolean;
  /** Settings, displays and what was stored are known. */
  readonly isStarted: boolean;
  /** The newest one, of the current settings. */
  readonly given: GivenFeed | null;
  readonly presence: Presence;
  readonly learned: Learned | null;
  readonly holds: Holds;
  /** A hand switched the screen off while it played. */
  readonly isAnnouncementIgnored: boolean;
  readonly announcementUntil: Milliseconds | null;
  readonly entityUntil: Milliseconds | null;
  readonly handUntil: Milliseconds | null;
  readonly darkened: StoredSleep['darkened'];
  readonly isSuppressed: boolean;
  readonly suppressedAt: Milliseconds | null;
  /** Since when every source is off. */
  readonly allOffSince: Milliseconds | null;
  /** Since when none is on, but one or more are off. */
  readonly noneOnSince: Milliseconds | null;
  /** Since when no sources are configured. */
  readonly noneSince: Milliseconds | null;
  readonly presentAt: Milliseconds | null;
  readonly touchedAt: Milliseconds | null;
  readonly approachedAt: Milliseconds | null;
  /** The last time that a lease ended and the screen went off, and how long the lease was. */
  readonly slept: { readonly at: Milliseconds; readonly leaseMs: Milliseconds } | null;
  /** Key of the source that came on last. */
  readonly cameOn: string | null;
  readonly isAutomatic: boolean;
  readonly dim: Dim;
  /** Displays whose level a hand has set since the last decision. */
  readonly handChanged: readonly ScreenId[];
  readonly changes: readonly SleepChange[];
  readonly view: SleepView;
  readonly decidedAt: Milliseconds | null;
  /** When the wall clock was looked at. */
  readonly checkedAt: Milliseconds | null;
  /** How far the wall clock was ahead of the monotonic one at the last decision; null before it. */
  readonly clockAhead: Milliseconds | null;
  /** A decision is due as soon as 250 ms have passed since the last one. */
  readonly isDue: boolean;
  /** When a switch that has to wait may be made; Infinity if none waits. */
  readonly orderAt: Milliseconds;
  /** What is to be kept. */
  readonly unkept: 'urgent' | 'routine' | null;
  readonly keptAt: Milliseconds | null;
}

const noRule: RuleView = { isActive: false, changesAt: null, why: null };

export const unknownSleep: SleepView = {
  phase: 'unavailable',
  reason: 'runtime_unavailable',
  gap: null,
  until: null,
  lastPresenceAt: null,
  leaseMs: null,
  sourceCount: 0,
  isSuppressed: false,
  asleep: [],
  offHours: noRule,
  dim: noRule,
  changes: [],
};

/** Hours that cannot be understood are refused before; here they count as none. */
function clockOf(text: string, place: Place | null, sun: boolean): Clocks['off'] {
  const hours = parsedHours(text, { sun });
  return hours.ok ? hoursClock(hours.value, place).at : () => noRule;
}

type Hours = Pick<SleepSettings, 'offHours' | 'dimHours'>;

/** Calendars are slow to make; those that stay the same are kept. */
function clocksOf(
  { offHours, dimHours }: Hours,
  place: Place | null,
  before: { readonly hours: Hours; readonly place: Place | null; readonly clocks: Clocks } | null,
): Clocks {
  const same = before !== null && isSame(before.place, place) ? before : null;
  const clock = same === null ? zoneClock(place?.timeZone ?? null) : null;
  return {
    off: same?.hours.offHours === offHours ? same.clocks.off : clockOf(offHours, place, false),
    dim: same?.hours.dimHours === dimHours ? same.clocks.dim : clockOf(dimHours, place, true),
    day: clock === null ? (same?.clocks.day ?? (() => 0)) : (now) => clock(now).day,
    isUsed: offHours !== '' || dimHours !== '',
  };
}

const noHours: Hours = { offHours: '', dimHours: '' };

/** The clocks of these settings at this place. */
export function clocksAfter(
  { settings, place, clocks }: FollowState,
  after: { readonly settings?: SleepSettings; readonly place?: Place | null },
): Clocks {
  const before = { hours: settings ?? noHours, place, clocks };
  return clocksOf(after.settings ?? settings ?? noHours, after.place === undefined ? place : after.place, before);
}

export const isOffHours = ({ clocks }: FollowState, now: EpochMs): boolean => clocks.off(now).isActive;

const learnedOnly = { source: 'panel', touchDelaySeconds: 0 } as const;

/** The lease that begins now; while auto-sleep is off, what was chosen for touches counts for nothing. */
export const leaseNow = ({ learned, settings, clocks }: FollowState, { now }: Moment): Milliseconds =>
  leaseOf(learned, settings?.enabled === true ? settings : learnedOnly, { now, day: clocks.day(now) });

export const rowOf = ({ rows }: Pick<FollowState, 'rows'>, id: ScreenId): DisplayRow => rows.get(id) ?? newRow;

export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Without one of the displays; the same object if it is not there. */
export function withoutDisplay(darkened: StoredSleep['darkened'], id: ScreenId): StoredSleep['darkened'] {
  if (darkened[id] === undefined) return darkened;
  const { [id]: _, ...others } = darkened;
  return others;
}

/** Something is to be kept, but not at once. */
export const routine = ({ unkept }: FollowState): Pick<FollowState, 'unkept'> => ({ unkept: unkept ?? 'routine' });

export const initialState: FollowState = {
  settings: null,
  place: null,
  clocks: clocksOf(noHours, null, null),
  displays: null,
  rows: new Map(),
  isRecalled: false,
  isStarted: false,
  given: null,
  presence: noPresence,
  learned: null,
  holds: { announcement: false, calibration: false, ownPages: false, dashboard: false },
  isAnnouncementIgnored: false,
  announcementUntil: null,
  entityUntil: null,
  handUntil: null,
  darkened: {},
  isSuppressed: false,
  suppressedAt: null,
  allOffSince: null,
  noneOnSince: null,
  noneSince: null,
  presentAt: null,
  touchedAt: null,
  approachedAt: null,
  slept: null,
  cameOn: null,
  isAutomatic: false,
  dim: notDimmed,
  handChanged: [],
  changes: [],
  view: unknownSleep,
  decidedAt: null,
  checkedAt: null,
  clockAhead: null,
  isDue: false,
  orderAt: Infinity,
  unkept: null,
  keptAt: null,
};
