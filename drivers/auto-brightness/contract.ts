import type { DriverScope } from '#drivers/kit/from-driver.ts';
import type { After } from '#drivers/kit/rounds.ts';
import type {
  BrightnessSettings,
  HistoryChart,
  LightMinute,
  LightSource,
  Moment,
  Place,
  RoomInputOf,
  RoomOutput,
  StoredRoom,
  Unavailable,
} from '#machines/auto-brightness/events.ts';
import type { RecordedLight } from '#machines/home-assistant/events.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';

import type { MinuteStore } from './minute-files.ts';

/** Called with what a source gives; not after its end. */
export interface SourceHandlers {
  readonly onSample: (lux: number) => void;
  readonly onSilent: (why: Unavailable) => void;
  /** The same entity is now of another Home Assistant, or read by another account. */
  readonly onChanged: () => void;
}

/** Watches a source; returns the function that ends it. */
export type ObserveSource = (source: LightSource, handlers: SourceHandlers) => () => void;

/** What is looked up in Home Assistant; null if it could not be asked or did not answer. */
export interface HomeLookups {
  /** Its origin; null if none is configured. */
  readonly origin: () => string | null;
  readonly place: () => Promise<Place | null>;
  readonly light: (entityId: string) => Promise<readonly RecordedLight[] | null>;
}

/** The stored section, as its one writer uses it. */
export interface RoomStore {
  readonly recall: (take: (stored: StoredRoom) => void) => void;
  readonly keep: (stored: StoredRoom) => void;
  /** Writes what is due. */
  readonly end: () => Promise<void>;
}

/** The decisions, as plain functions with private state; `F` is what was learned, which the driver never reads. */
interface RoomModel<F> {
  readonly follow: () => {
    readonly take: (input: RoomInputOf<F>, moment: Moment) => readonly RoomOutput[];
    readonly dueIn: (moment: Moment) => Milliseconds;
    readonly minutes: (moment: Moment) => readonly LightMinute[];
  };
  readonly fit: (minutes: readonly LightMinute[], place: Place | null, now: EpochMs) => Generator<void, F>;
  readonly chart: (input: {
    readonly minutes: readonly LightMinute[];
    readonly fit: F;
    readonly place: Place | null;
    readonly now: EpochMs;
    readonly hours: number;
    readonly settings: BrightnessSettings;
    readonly sourceRevision: number;
  }) => Generator<void, HistoryChart>;
  /** Minutes of what Home Assistant recorded. */
  readonly recorded: (light: RecordedLight) => readonly LightMinute[];
}

/** The part of a driver's scope that its store lives in. */
export type RoomScope = Pick<DriverScope<never, unknown, never>, 'guard' | 'signal'>;

export interface RoomOptions<F> {
  readonly model: RoomModel<F>;
  readonly observe: ObserveSource;
  readonly files: MinuteStore;
  readonly home: HomeLookups;
  readonly store: (scope: RoomScope) => RoomStore;
  /** True if the owner turned it off, so that its end also ends what a person chose. */
  readonly isTurnedOff: () => boolean;
  readonly now: () => EpochMs;
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => Milliseconds;
  readonly after?: After;
}
