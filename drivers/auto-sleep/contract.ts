import type { DriverScope } from '#drivers/kit/from-driver.ts';
import type { After } from '#drivers/kit/rounds.ts';
import type { Place } from '#machines/auto-brightness/events.ts';
import type {
  AreaSources,
  Feed,
  Holds,
  Replay,
  ReplayFault,
  SleepFollow,
  SleepSet,
  SourceLane,
  SourceMode,
  StoredInclusion,
  StoredSleep,
} from '#machines/auto-sleep/events.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';

/** Called with what the sources report; not after the end. */
export interface FeedHandlers {
  readonly onFeed: (feed: Feed, partition: string) => void;
  /** How many presence sensors the area has. */
  readonly onDiscovered: (count: number) => void;
  /** The panel's own sensor saw a person come near. */
  readonly onApproached: () => void;
}

/** Sources that are watched. */
export interface PresenceWatch {
  /** The area as it is now; null while none is known. */
  readonly area: () => AreaSources | null;
  readonly end: () => void;
}

/** Watches the sources of a mode; begun again whenever the mode, or what is left out, changes. */
export type ObservePresence = (mode: SourceMode, excluded: readonly string[], handlers: FeedHandlers) => PresenceWatch;

/** A source whose records are wanted. */
export interface WantedLane {
  readonly key: string;
  readonly entityId: string;
}

/** What is looked up in Home Assistant, or watched there beside the sources. */
export interface SleepHome {
  readonly history: (
    lanes: readonly WantedLane[],
    from: EpochMs,
    to: EpochMs,
  ) => Promise<{ readonly fault: ReplayFault } | { readonly lanes: readonly SourceLane[] }>;
  /** Called with each place that Home Assistant gives. Returns what ends it. */
  readonly place: (onPlace: (place: Place | null) => void) => () => void;
  /** Called when the entity goes from off to on, heard on a live connection. Returns what ends it. */
  readonly entityOn: (entityId: string, onOn: () => void) => () => void;
}

/** Called with what happens at the panel itself. */
export interface PanelHandlers {
  /** A finger, a key or a mouse button; `isWave` for a wave. */
  readonly onTouched: (isWave: boolean) => void;
  readonly onHolds: (holds: Holds) => void;
  /** True while the automatic brightness sets the level. */
  readonly onBrightness: (isAutomatic: boolean) => void;
}

/** Watches the panel itself; `stayAwakeDashboard` is a canonical path, or "". Returns what ends it. */
export type ObservePanel = (stayAwakeDashboard: string, handlers: PanelHandlers) => () => void;

/** The stored section `auto-sleep`, as its one writer uses it. */
export interface SleepStore {
  readonly recall: (take: (stored: StoredSleep) => void) => void;
  /** At once. */
  readonly keep: (stored: StoredSleep) => void;
  /** Writes what the disk refused before. */
  readonly end: () => Promise<void>;
}

/** The stored section `auto-sleep-sources`, likewise. */
export interface InclusionStore {
  /** Most keys that it holds. */
  readonly most: number;
  readonly recall: (take: (stored: StoredInclusion) => void) => void;
  /** True once it is durable; false if the disk refused. */
  readonly write: (stored: StoredInclusion) => Promise<boolean>;
  readonly end: () => Promise<void>;
}

/** The part of a driver's scope that its stores live in. */
export type SleepScope = Pick<DriverScope<never, unknown, never>, 'guard' | 'signal'>;

/** The decisions, as plain functions. */
interface SleepModel {
  readonly follow: () => SleepFollow;
  readonly replay: (input: {
    readonly lanes: readonly SourceLane[];
    readonly from: EpochMs;
    readonly to: EpochMs;
    readonly leaseMs: Milliseconds;
  }) => Replay;
  /** How much is read before the replay begins. */
  readonly warmupMs: Milliseconds;
  /** The lease of a replay while no decision has named one. */
  readonly minimumLeaseMs: Milliseconds;
}

export interface SleepOptions {
  readonly model: SleepModel;
  readonly observe: ObservePresence;
  readonly panel: ObservePanel;
  readonly home: SleepHome;
  readonly store: (scope: SleepScope) => SleepStore;
  readonly inclusion: (scope: SleepScope) => InclusionStore;
  /** True if the owner turned everything off, so that its end lights what it darkened. */
  readonly isTurnedOff: () => boolean;
  /** Switches a display while the driver ends, when facts reach its parent no more. */
  readonly setAtEnd: (set: SleepSet) => void;
  readonly now: () => EpochMs;
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => Milliseconds;
  readonly after?: After;
}
