import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { ScreenId } from '../screen/events.ts';
import type { AmbientTheme } from './ambient-theme.ts';
import { type Boost, restingBoost } from './boost.ts';
import type {
  BrightnessSettings,
  DisplayView,
  Level,
  LightMinute,
  LightSource,
  ManualPreference,
  Mode,
  Place,
  RoomView,
  Unavailable,
} from './events.ts';
import type { Fit } from './fit.ts';
import type { Hand } from './hand.ts';
import { unknownRoom } from './off.ts';
import type { LastStep, Told } from './pace.ts';

/** A preference of this run, and when it began on the monotonic clock. */
export interface Held {
  readonly preference: ManualPreference;
  readonly since: Milliseconds;
}

/** The level that the light alone asks for, whatever the ceiling. */
export interface Automatic {
  readonly level: Level;
  /** 0.04 to 1, before minimum and maximum. */
  readonly fraction: number;
}

/** What was measured and learned in this session; a change of the source or of its place begins another one. */
export interface Session {
  /** The last reading, which holds until the next; null while the source is silent. */
  readonly lux: number | null;
  /** ln(1 + lux), smoothed. */
  readonly smoothedLog: number | null;
  /** How long was measured. */
  readonly coveredMs: Milliseconds;
  readonly open: readonly LightMinute[];
  /** Complete minutes that `minutes` does not contain yet. */
  readonly finished: readonly LightMinute[];
  /** Sorted, of the last seven days. */
  readonly minutes: readonly LightMinute[];
  readonly fit: Fit | null;
  /** When the last fit was asked for; null before the first. */
  readonly fitAskedAt: Milliseconds | null;
  readonly boost: Boost;
  /** True while the room counts as brighter than expected. */
  readonly isBrighter: boolean;
}

/** Everything that is kept between two inputs. */
export interface FollowState extends Session {
  readonly settings: BrightnessSettings | null;
  /** Null before they are known. */
  readonly displays: readonly DisplayView[] | null;
  readonly told: ReadonlyMap<ScreenId, Told>;
  /** Null before a source is known, and on a panel that has none. */
  readonly kind: LightSource['kind'] | null;
  readonly revision: number;
  readonly why: Unavailable | null;
  /** Undefined before it is known. */
  readonly place: Place | null | undefined;
  readonly held: Held | null;
  /** A hand that no decision has taken up yet. */
  readonly hand: (Hand & { readonly at: EpochMs; readonly since: Milliseconds }) | null;
  readonly automatic: Automatic | null;
  /** The highest automatic level, at night; null for none. */
  readonly ceiling: Level | null;
  readonly expectedLog: number | null;
  readonly mode: Mode | null;
  /** The one level of all displays; null before the first decision. */
  readonly applied: Level | null;
  /** Null before the first. */
  readonly lastStep: LastStep | null;
  readonly ambient: AmbientTheme;
  /**
   * The calendar moved: until the light does, the automatic level stays. `log` is the light at that moment.
   */
  readonly pinned: { readonly automatic: Automatic; readonly log: number } | null;
  readonly historyFault: string | null;
  /** When the screen was last written, on the monotonic clock: its own light may count as the room's. */
  readonly writtenAt: Milliseconds | null;
  /** When the preference last changed and was not kept yet. */
  readonly unkeptSince: Milliseconds | null;
  /** Wall clock minus monotonic clock at the last input; null before the first. */
  readonly offset: number | null;
  readonly advancedAt: Milliseconds | null;
  readonly decidedAt: Milliseconds | null;
  /** ln(1 + lux) at the last decision. */
  readonly decidedLog: number | null;
  /** The smoothed one at the last decision. */
  readonly decidedSmooth: number | null;
  /** A decision is due as soon as 250 ms have passed since the last one. */
  readonly isDue: boolean;
  /** The next decision ignores the deadband. */
  readonly isForced: boolean;
  readonly view: RoomView;
}

/** A session in which nothing was measured. */
export const newSession: Session = {
  lux: null,
  smoothedLog: null,
  coveredMs: 0,
  open: [],
  finished: [],
  minutes: [],
  fit: null,
  fitAskedAt: null,
  boost: restingBoost,
  isBrighter: false,
};

export const initialState: FollowState = {
  ...newSession,
  settings: null,
  displays: null,
  told: new Map(),
  kind: null,
  revision: 0,
  why: 'starting',
  place: undefined,
  held: null,
  hand: null,
  automatic: null,
  ceiling: null,
  expectedLog: null,
  mode: null,
  applied: null,
  lastStep: null,
  ambient: { verdict: null, pending: null },
  pinned: null,
  historyFault: null,
  writtenAt: null,
  unkeptSince: null,
  offset: null,
  advancedAt: null,
  decidedAt: null,
  decidedLog: null,
  decidedSmooth: null,
  isDue: false,
  isForced: false,
  view: unknownRoom,
};
