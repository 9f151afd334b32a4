import type { Place } from '../auto-brightness/events.ts';
import type { DriverLogic } from '../kit/placeholder.ts';
import type { Result } from '../kit/result.ts';
import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { ScreenId } from '../screen/events.ts';

/** Two readings of the time: one of the wall clock, for hours and days, and one that no person sets, for durations. */
export interface Moment {
  readonly now: EpochMs;
  readonly elapsed: Milliseconds;
}

/** What shows that a person is there: the panel's own sensor, sensors of Home Assistant, or touches alone. */
export const sourceModes = ['panel', 'home_assistant', 'touch'] as const;
export type SourceMode = (typeof sourceModes)[number];

/** One included source of presence, under its key (64 hexadecimal digits). */
export interface PresenceSource {
  readonly key: string;
  readonly state: 'on' | 'off' | 'unavailable';
}

/** Why there are no sources. */
export const gaps = [
  'starting',
  /** The panel has no proximity sensor, or it is not calibrated. */
  'no-sensor',
  'not-calibrated',
  'signed-out',
  'home-assistant-away',
  /** Home Assistant does not know the panel, or it has no area. */
  'no-device',
  'no-area',
  /** The area has no presence sensor, or each of them is left out. */
  'no-sensors',
  'all-excluded',
] as const;
export type Gap = (typeof gaps)[number];

/**
 * All included sources, complete each time. `none` are configured, or they are `lost` for now. Mode `touch` has the
 * feed `touch`.
 */
export type Feed =
  | { readonly kind: 'live'; readonly sources: readonly PresenceSource[] }
  | { readonly kind: 'none'; readonly why: Gap }
  | { readonly kind: 'lost'; readonly why: Gap }
  | { readonly kind: 'touch' };

/** Where a feed stands: `generation` counts changes of the source, `revision` its feeds. An older one is dropped. */
export interface FeedPosition {
  readonly generation: number;
  readonly revision: number;
}

/** What the screen does by itself: nothing is wanted, presence is awaited, it sleeps, or the sources forbid it. */
export type SleepPhase = 'off' | 'unavailable' | 'holding' | 'sleeping' | 'inhibited';

/** Reasons of leases: what extended the newest one. */
const leaseReasons = ['presence_lease', 'touch_lease', 'approach_lease', 'hand_lease'] as const;
export type LeaseReason = (typeof leaseReasons)[number];

export const sleepReasons = [
  /** Nothing is wanted, or nothing is known yet. */
  'disabled',
  'runtime_unavailable',
  /** These hold the screen lit. */
  'announcement',
  'calibration',
  'own_pages',
  'dashboard',
  /** The entity `wake_on_entity` lit it. */
  'entity',
  'source_active',
  ...leaseReasons,
  'partial_source_loss',
  /** These darken it. */
  'screen_off_hours',
  'lease_expired',
  /** These leave it as it is. */
  'no_sources_configured',
  'all_sources_unavailable',
  'source_loss',
  'manual_suppression',
] as const;
export type SleepReason = (typeof sleepReasons)[number];

/** Origins of the switches that the arbiter makes. */
export const sleepOrigins = ['auto-sleep', 'clock', 'presence', 'announcement', 'entity'] as const;
export type SleepOrigin = (typeof sleepOrigins)[number];

/** Who darkened a display, for which the arbiter may light it again. */
export type Darkener = 'auto-sleep' | 'clock';

/** The owner's choices. */
export interface SleepSettings {
  /** The setting `auto_sleep`. */
  readonly enabled: boolean;
  readonly source: SourceMode;
  readonly touchDelaySeconds: number;
  /** As written in the settings; "" for none. */
  readonly offHours: string;
  readonly dimHours: string;
  readonly dimPercent: number;
  readonly wakeOnAnnouncement: boolean;
  /** Entity id; "" for none. */
  readonly wakeOnEntity: string;
  /** Canonical path; "" for none. */
  readonly stayAwakeDashboard: string;
}

/** What the arbiter knows of one of the panel's displays. */
export interface SleepDisplay {
  readonly id: ScreenId;
  /** False while it is dark, or going dark; null while unknown. */
  readonly lit: boolean | null;
  /** Its level, or the one that ON restores, 1 to 255. */
  readonly level: number;
  /** True if something dims it. */
  readonly dims: boolean;
  /** What changed it last, and when; see `ScreenContext`. */
  readonly changed: { readonly by: string; readonly at: EpochMs } | null;
}

/** What holds the screen lit whatever the sources report. */
export interface Holds {
  readonly announcement: boolean;
  readonly calibration: boolean;
  /** The panel's own pages are shown on its screen, and were touched within the last lease. */
  readonly ownPages: boolean;
  /** `stay_awake_dashboard` is shown. */
  readonly dashboard: boolean;
}

/** Gaps between touches, or approaches, of one day: 12 buckets of 5 min, each at most 10,000. */
export interface LearnedDay {
  /** Days since 1970-01-01 of the place's calendar. */
  readonly day: number;
  readonly touch: readonly number[];
  readonly approach: readonly number[];
}

/** What was learned about the pauses of the people here; never a time of day. */
export interface Learned {
  /** Of which set of sources, 64 hexadecimal digits; another set starts over. */
  readonly partition: string;
  /** At most seven, the oldest first. */
  readonly days: readonly LearnedDay[];
  /** After a touch that came right after the screen had gone off: at least this lease, for a while. */
  readonly correction: { readonly floorMs: Milliseconds; readonly at: EpochMs } | null;
}

/** Kept across restarts, in section `auto-sleep`. */
export interface StoredSleep {
  readonly learned: Learned | null;
  /** Which displays the arbiter darkened, and by what. */
  readonly darkened: Readonly<Partial<Record<ScreenId, Darkener>>>;
  /** A hand switched the screen off, so that presence does not light it. */
  readonly isSuppressed: boolean;
  /** Levels (1 to 255) to give back at the end of `night_dim_hours`; absent for none. See `dimmedLevels`. */
  readonly dimmed?: Readonly<Partial<Record<ScreenId, number>>>;
  /** Where the house is, for its wall clock and its sun; never in a public fact. */
  readonly place: Place | null;
}

/** The sources that the owner left out, in section `auto-sleep-sources`; it travels with the panel's backup. */
export interface StoredInclusion {
  /** Keys of sources, at most 256. */
  readonly excluded: readonly string[];
}

/** One switch that the arbiter made or saw, for "Why did it wake?". */
export interface SleepChange {
  readonly at: EpochMs;
  readonly lit: boolean;
  /** What did it: an origin as of `ScreenContext`. */
  readonly by: string;
  /** The arbiter's reason, if it was the arbiter. */
  readonly reason: SleepReason | null;
  /** Key of the source that came on; null for none. */
  readonly sourceKey: string | null;
}

/** State of a rule that goes by the wall clock. */
export interface RuleView {
  readonly isActive: boolean;
  /** When it begins or ends next; null if never, or while unknown. */
  readonly changesAt: EpochMs | null;
  /** `no-place`: it goes by the sun, and it is not known where the house is. Null if it works, or is not set. */
  readonly why: 'no-place' | null;
}

/** The decision with its reasons: no name, no address, no entity id. */
export interface SleepView {
  readonly phase: SleepPhase;
  readonly reason: SleepReason;
  /** Why there are no sources; null while there are some. */
  readonly gap: Gap | null;
  /** When the decision changes if nothing happens before; null if it does not. */
  readonly until: EpochMs | null;
  /** When presence was seen last, by a source, a touch or a hand; null if not since the start. */
  readonly lastPresenceAt: EpochMs | null;
  /** The lease now in force; null while nothing is known of it. */
  readonly leaseMs: Milliseconds | null;
  readonly sourceCount: number;
  readonly isSuppressed: boolean;
  /** Displays that the arbiter darkened. */
  readonly asleep: readonly ScreenId[];
  readonly offHours: RuleView;
  readonly dim: RuleView;
  /** The newest ten, the newest first. */
  readonly changes: readonly SleepChange[];
}

/** What happens, in order; `followSleep` takes it. */
export type SleepInput =
  | { readonly type: 'settings'; readonly settings: SleepSettings }
  | { readonly type: 'place'; readonly place: Place | null }
  | { readonly type: 'displays'; readonly displays: readonly SleepDisplay[] }
  | { readonly type: 'feed'; readonly feed: Feed; readonly position: FeedPosition; readonly partition: string }
  /** A finger, a key or a mouse button; `isWave` for a wave. */
  | { readonly type: 'touched'; readonly isWave: boolean }
  /** The panel's own sensor saw a person come near. */
  | { readonly type: 'approached' }
  | { readonly type: 'holds'; readonly holds: Holds }
  /** `wake_on_entity` went from off to on, heard on a live connection. */
  | { readonly type: 'entity.on' }
  /** True while the automatic brightness sets the level, so that night's level is a ceiling for it. */
  | { readonly type: 'brightness'; readonly isAutomatic: boolean }
  | { readonly type: 'recalled'; readonly stored: StoredSleep }
  | { readonly type: 'tick' }
  /** The end; what is not kept yet is due now. */
  | { readonly type: 'stop' };

/** The decisions, and what the driver has to do. */
export type SleepOutput =
  /** At most every 250 ms. */
  | { readonly type: 'sleep.decided'; readonly view: SleepView; readonly ceiling: number | null; readonly at: EpochMs }
  | SleepSet
  /** Make this durable now; what is not urgent has waited for a minute since the last one. */
  | { readonly type: 'keep'; readonly stored: StoredSleep; readonly isUrgent: boolean };

/** Switch a display, or set its level (1 to 255), for night's level without automatic brightness. */
export interface SleepSet {
  readonly type: 'sleep.set';
  readonly screen: ScreenId;
  readonly on?: boolean;
  readonly brightness?: number;
  readonly origin: SleepOrigin;
}

/** The decisions as plain functions with private state, as the driver runs them. */
export interface SleepFollow {
  readonly take: (input: SleepInput, moment: Moment) => readonly SleepOutput[];
  /** Milliseconds until the next `tick` is due; Infinity if none is. */
  readonly dueIn: (moment: Moment) => Milliseconds;
}

/** A source as pages show it, also one that is left out. */
interface ShownSource {
  readonly key: string;
  readonly entityId: string;
  /** Its friendly name; "" without one. */
  readonly name: string;
  readonly state: PresenceSource['state'];
  readonly isIncluded: boolean;
}

/** The panel's area in Home Assistant and the sources in it. */
export interface AreaSources {
  /** 64 hexadecimal digits. */
  readonly areaKey: string;
  readonly areaName: string;
  /** At most 32, by entity id. */
  readonly sources: readonly ShownSource[];
  /** Presence sensors of the area, also beyond 32. */
  readonly total: number;
}

/** The panel's area as Home Assistant has it: may sources be found there? */
export interface Prerequisite {
  readonly phase: 'assigned' | 'unassigned' | 'auth_failed' | 'unavailable';
  readonly areaName: string | null;
}

/** One stretch of the replay. */
export interface ReplaySegment {
  readonly from: EpochMs;
  readonly to: EpochMs;
  readonly verdict: 'hold_awake' | 'allow_sleep' | 'inhibited';
  readonly reason: SleepReason;
}

/** The recorded states of one source, oldest first. */
export interface SourceLane {
  readonly key: string;
  readonly states: readonly { readonly at: EpochMs; readonly state: PresenceSource['state'] }[];
}

/** What the same decisions would have been over the last hours. */
export interface Replay {
  readonly from: EpochMs;
  readonly to: EpochMs;
  readonly leaseMs: Milliseconds;
  readonly lanes: readonly SourceLane[];
  readonly segments: readonly ReplaySegment[];
}

/** Why a replay failed (contract: discovery and history failures are retryable). */
export const replayFaults = [
  'history_limit',
  'history_auth',
  'history_transport',
  'history_parse',
  'sources_changed',
  'runtime_unavailable',
  'local_history_unavailable',
  'history_unavailable',
] as const;
export type ReplayFault = (typeof replayFaults)[number];

/** `settled` is the last view that was complete; null before one. */
export interface ReplayAnswer {
  readonly fault: ReplayFault | null;
  readonly settled: Replay | null;
}

type SourcesOutcome = Result<AreaSources, 'no-sources'>;
/** `stale`: the area or the source is another one by now. `not-kept`: the disk refused. */
export type IncludeOutcome = Result<{ readonly included: boolean }, 'stale' | 'not-kept'>;
type ReplayOutcome = Result<ReplayAnswer, never>;

/** Requests of pages and neighbours, each answered once. */
export type SleepRequest =
  /** Answered with a `SourcesOutcome`. */
  | { readonly type: 'auto-sleep.sources'; readonly requestId: string }
  /** Answered with an `IncludeOutcome`, once it is durable. */
  | {
      readonly type: 'auto-sleep.include';
      readonly requestId: string;
      readonly areaKey: string;
      readonly sourceKey: string;
      readonly included: boolean;
    }
  /** The last `hours`, 1 to 48; one at a time, one a minute; answered with a `ReplayOutcome`. */
  | { readonly type: 'auto-sleep.replay'; readonly requestId: string; readonly hours: number };

/** Commands of the driver. */
export type SleepCommand =
  | SleepRequest
  | { readonly type: 'sleep.settings'; readonly settings: SleepSettings }
  | { readonly type: 'sleep.displays'; readonly displays: readonly SleepDisplay[] };

/** Reported by the driver. */
export type SleepFact =
  | (Extract<SleepOutput, { readonly type: 'sleep.decided' }> & Pick<AutoSleepContext, 'offHoursClock'>)
  | SleepSet
  /** How many presence sensors the area has. */
  | { readonly type: 'sources.discovered'; readonly count: number }
  | {
      readonly type: 'sleep.answered';
      readonly requestId: string;
      readonly outcome: SourcesOutcome | IncludeOutcome | ReplayOutcome;
    };

/** Contract of the driver that runs the arbiter. */
export type SleepDriver = DriverLogic<SleepCommand, undefined, SleepFact>;

/** Facts from the followers of settings and displays. */
export type SleepFollowed =
  | { readonly type: 'settings.chosen'; readonly settings: SleepSettings }
  | { readonly type: 'displays.changed'; readonly displays: readonly SleepDisplay[] };

export type AutoSleepEvent = SleepRequest | SleepFact | SleepFollowed;

/** Public facts: no place, no entity, no name. */
export interface AutoSleepContext {
  readonly view: SleepView;
  /** Highest level (1 to 255) of the automatic brightness now, by `night_dim_hours`; null for none. */
  readonly ceiling: number | null;
  /** When the last decision was made; null before the first. */
  readonly decidedAt: EpochMs | null;
  readonly discoveredCount: number;
  /** What shows that a person is there; null while `auto_sleep` is off. */
  readonly source: SourceMode | null;
  /** When `view.offHours` changes next by the wall clock of the house, as `06:30`; null if it does not. */
  readonly offHoursClock: string | null;
}

export interface AutoSleepActor {
  readonly id: 'auto-sleep';
  readonly context: AutoSleepContext;
  readonly event: SleepRequest;
  readonly asks: {
    readonly 'auto-sleep.sources': SourcesOutcome;
    readonly 'auto-sleep.include': IncludeOutcome;
    readonly 'auto-sleep.replay': ReplayOutcome;
  };
}
