import type { DriverLogic } from '../kit/placeholder.ts';
import type { Result } from '../kit/result.ts';
import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { ScreenId } from '../screen/events.ts';

/** Minutes since the Unix epoch. */
export type EpochMinute = number;

/** Home Assistant's level of a lit light, 1 to 255, whole. */
export type Level = number;

/** Two readings of the time: one of the wall clock, for the calendar, and one that no person sets, for durations. */
export interface Moment {
  readonly now: EpochMs;
  readonly elapsed: Milliseconds;
}

/** Where the light of the room is measured: by the panel's own sensor or by one entity of Home Assistant. */
export type LightSource = { readonly kind: 'panel' } | { readonly kind: 'home_assistant'; readonly entityId: string };

/** Where the panel hangs, for the position of the sun; never in a public fact. */
export interface Place {
  /** Degrees, rounded to 0.1. */
  readonly latitude: number;
  readonly longitude: number;
  /** IANA name. */
  readonly timeZone: string;
}

/** The owner's choices. */
export interface BrightnessSettings {
  readonly minimumPercent: number;
  readonly maximumPercent: number;
  /** How strongly a difference from the expected light counts, 0 to 100. */
  readonly responsePercent: number;
}

/** The light of one minute. */
export interface LightMinute {
  readonly minute: EpochMinute;
  /** Integral of lux over the covered time, in lx ms. */
  readonly luxMs: number;
  /** How much of the minute was measured, 0 to 60000. */
  readonly coveredMs: Milliseconds;
  readonly min: number;
  readonly max: number;
  readonly last: number;
  readonly samples: number;
  /** Integral of ln(1 + lux) over the time that counts toward the baseline. */
  readonly baselineLogMs: number;
  readonly baselineMs: Milliseconds;
}

/** How much was learned, and so how far the expected light is trusted. */
export type Mode = 'cold_start' | 'provisional' | 'learning' | 'confident';

/** Whose hand set a level: over MQTT, on the panel's own pages, or past the agent. */
export type HandOrigin = 'home_assistant' | 'panel_controls' | 'system';

/** A level that a person chose, as it is stored. */
export interface ManualPreference {
  readonly origin: HandOrigin;
  readonly requested: Level;
  /** The automatic level when it was chosen. */
  readonly automaticAtStart: Level;
  readonly startedAt: EpochMs;
}

/** What is kept across restarts, beside the minutes. */
export interface StoredRoom {
  readonly preference: ManualPreference | null;
  readonly place: Place | null;
}

/** What the panel knows of one of its displays. */
export interface DisplayView {
  readonly id: ScreenId;
  /** Route that dims it; null if nothing does. */
  readonly route: string | null;
  /** False while it is dark, or going dark; null while unknown. */
  readonly lit: boolean | null;
  /** Its level, or the one that ON restores. */
  readonly level: Level;
  /** What changed it last, and when. */
  readonly changed: { readonly by: string; readonly at: EpochMs } | null;
}

/** Why nothing is decided. */
export type Unavailable =
  | 'starting'
  | 'no-display'
  /** The panel has no light sensor, and no entity is chosen. */
  | 'no-source'
  /** The sensor, the entity or Home Assistant is away. */
  | 'source-away'
  /** The entity does not measure in lx. */
  | 'not-lux'
  | 'not-a-number';

/** The decision and its reasons, as pages, entities and the theme read them. */
export interface RoomView {
  readonly state: 'unavailable' | 'dark' | 'following' | 'preferred';
  /** Null unless `state` is `unavailable`. */
  readonly why: Unavailable | null;
  readonly sourceKind: LightSource['kind'] | null;
  readonly sourceAvailable: boolean;
  /** Counts changes of the source, its place and its account: a late answer of an older one is dropped. */
  readonly sourceRevision: number;
  readonly latestLux: number | null;
  readonly expectedLux: number | null;
  readonly automaticTarget: Level | null;
  /** Night's level while it holds the automatic one down; null while it does not. */
  readonly heldTo: Level | null;
  /** The level that displays have or get. */
  readonly appliedTarget: Level | null;
  readonly mode: Mode | null;
  /** True while the room counts as brighter than expected. */
  readonly brighter: boolean;
  /** The level that a person chose, while it counts; `authority` is the share of the automatic, 0.2 to 1. */
  readonly preference: (ManualPreference & { readonly endsAt: EpochMs; readonly authority: number }) | null;
  readonly ambient: {
    readonly verdict: 'dark' | 'light' | null;
    /** Brightness of the room as a share of full, before minimum and maximum; null while unknown. */
    readonly level: number | null;
    /** When another verdict takes effect; null if none is pending. */
    readonly changesAt: EpochMs | null;
  };
  /** Days of the kept history that count. */
  readonly coveredDays: number;
  /** POSIX code of why history cannot be kept; null while it can. */
  readonly historyFault: string | null;
}

/** The unsaved values that a chart previews; an absent one is as saved. */
export type Preview = Partial<BrightnessSettings>;

/** Five minutes of the chart. */
export interface HistoryPoint {
  readonly epochMinute: EpochMinute;
  /** Days since the Unix epoch in the place's time zone. */
  readonly localDay: number;
  /** 0 to 1439 in the place's time zone. */
  readonly minuteOfDay: number;
  /** 0 is today. */
  readonly dayAge: number;
  /** Null for a gap. */
  readonly observedMeanLux: number | null;
  readonly minLux: number | null;
  readonly maxLux: number | null;
  readonly expectedLux: number | null;
  readonly proposedBrightness: Level | null;
}

/** The chart of the last hours. */
export interface HistoryChart {
  readonly nowEpochMinute: EpochMinute;
  readonly latestEpochMinute: EpochMinute | null;
  readonly timeZone: string;
  readonly sourceRevision: number;
  /** With what it was drawn. */
  readonly settings: BrightnessSettings;
  /** Oldest first, at most 2,016. */
  readonly points: readonly HistoryPoint[];
}

/** `busy`: another chart is being drawn. `no-source`: nothing is measured. */
export type ChartOutcome = Result<HistoryChart, 'busy' | 'no-source'>;

/** Answer to `auto-brightness.forget`; `not-kept` if the disk refused. */
export type ForgetOutcome = Result<null, 'not-kept' | 'no-source'>;

/** Commands of the driver that watches the room. */
export type RoomCommand =
  | { readonly type: 'room.settings'; readonly settings: BrightnessSettings; readonly entityId: string }
  | { readonly type: 'room.displays'; readonly displays: readonly DisplayView[] }
  | { readonly type: 'room.ceiling'; readonly level: Level | null }
  /** Back to automatic. */
  | { readonly type: 'room.resume' }
  /** Forgets what was learned of this source and place. */
  | { readonly type: 'room.forget'; readonly requestId: string }
  | { readonly type: 'room.chart'; readonly requestId: string; readonly hours: number; readonly preview: Preview };

/** Reported by that driver; single samples never leave it. */
export type RoomFact =
  /** At most every 250 ms. */
  | { readonly type: 'room.decided'; readonly view: RoomView; readonly at: EpochMs }
  /** This display gets this level. */
  | { readonly type: 'room.adjust'; readonly screen: ScreenId; readonly level: Level }
  | { readonly type: 'room.forgotten'; readonly requestId: string; readonly outcome: ForgetOutcome }
  | { readonly type: 'room.drawn'; readonly requestId: string; readonly outcome: ChartOutcome };

/** Contract of the driver that watches the room. */
export type RoomDriver = DriverLogic<RoomCommand, undefined, RoomFact>;

/**
 * For which source something was measured, read or computed; if it is another one by now, it is dropped. Absent for the
 * current one.
 */
interface OfRevision {
  readonly revision?: number;
}

/** What happens in the room, in order; `followRoom` takes it. `F` is what was learned, which only the model reads. */
export type RoomInputOf<F> =
  | { readonly type: 'settings'; readonly settings: BrightnessSettings }
  | { readonly type: 'displays'; readonly displays: readonly DisplayView[] }
  /** The highest automatic level from now on; null for none. What a hand chose may be higher. */
  | { readonly type: 'ceiling'; readonly level: Level | null }
  /** Another source, or the same one under another address or account. Null: the panel has none. */
  | { readonly type: 'source'; readonly kind: LightSource['kind'] | null; readonly revision: number }
  | ({ readonly type: 'sample'; readonly lux: number } & OfRevision)
  | ({ readonly type: 'silent'; readonly why: Unavailable } & OfRevision)
  /** With a `revision` if it is another place than before, whose history is separate. */
  | ({ readonly type: 'place'; readonly place: Place | null } & OfRevision)
  | ({ readonly type: 'learned'; readonly fit: F } & OfRevision)
  /** Minutes that an earlier run kept, or that Home Assistant recorded. */
  | ({ readonly type: 'minutes'; readonly minutes: readonly LightMinute[] } & OfRevision)
  | { readonly type: 'tick' }
  /** Back to automatic. */
  | { readonly type: 'resume' }
  /** What was learned of this source is deleted. */
  | { readonly type: 'forget' }
  | { readonly type: 'recalled'; readonly preference: ManualPreference | null }
  /** The result of keeping minutes: a POSIX code, or null. */
  | { readonly type: 'kept'; readonly fault: string | null }
  /** The end: what is not kept yet is due now. */
  | { readonly type: 'stop' };

/** The decisions, and what the driver has to do. */
export type RoomOutput =
  | Extract<RoomFact, { readonly type: 'room.decided' | 'room.adjust' }>
  /** Make this preference durable; null removes it. */
  | { readonly type: 'keep.preference'; readonly preference: ManualPreference | null }
  /** These minutes are complete; of the source before, if it has just changed. */
  | { readonly type: 'keep.minutes'; readonly minutes: readonly LightMinute[] }
  /** Learn from these minutes, and answer with `learned` and the same revision. */
  | {
      readonly type: 'want.fit';
      readonly minutes: readonly LightMinute[];
      readonly place: Place | null;
      readonly at: EpochMs;
      readonly revision: number;
    };

/** Facts from the followers of settings, displays and night's level. */
export type RoomFollowed =
  | { readonly type: 'settings.chosen'; readonly settings: BrightnessSettings; readonly entityId: string }
  | { readonly type: 'displays.changed'; readonly displays: readonly DisplayView[] }
  | { readonly type: 'ceiling.changed'; readonly level: Level | null };

/** Command for what passes levels on to the displays. */
export interface AdjustCommand {
  readonly type: 'display.adjust';
  readonly screen: ScreenId;
  readonly level: Level;
}

/** Requests of pages, entities and neighbours. */
type AutoBrightnessRequest =
  | { readonly type: 'auto-brightness.resume' }
  /** Answered with a `ForgetOutcome`. */
  | { readonly type: 'auto-brightness.forget'; readonly requestId: string }
  /** The chart of the last `hours`, 1 to 168; answered with a `ChartOutcome`. */
  | {
      readonly type: 'auto-brightness.chart';
      readonly requestId: string;
      readonly hours: number;
      readonly preview: Preview;
    };

export type AutoBrightnessEvent = AutoBrightnessRequest | RoomFact | RoomFollowed;

/** Public facts: no place, no entity. */
export interface AutoBrightnessContext {
  readonly room: RoomView;
  /** When the last decision was made; null before the first. */
  readonly decidedAt: EpochMs | null;
}

export interface AutoBrightnessActor {
  readonly id: 'auto-brightness';
  readonly context: AutoBrightnessContext;
  readonly event: AutoBrightnessRequest;
  readonly asks: {
    readonly 'auto-brightness.forget': ForgetOutcome;
    readonly 'auto-brightness.chart': ChartOutcome;
  };
}
