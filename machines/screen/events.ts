import type { DriverLogic } from '../kit/placeholder.ts';
import type { Fix, Verdict } from '../kit/verdict.ts';
import type { EpochMs, Milliseconds } from '../kit/units.ts';

/** Registry ids of the screens, the first one first; each is a light of its own, and the names are stable. */
export const screenIds = ['screen', 'screen_2', 'screen_3', 'screen_4'] as const;
export type ScreenId = (typeof screenIds)[number];

/** The ways to control a display. */
export type RouteName = 'adb' | 'backlight' | 'wlopm' | 'kscreen' | 'xset' | 'ddc' | 'dimming';

/** What one route offers for one display. */
export interface Offer {
  readonly route: RouteName;
  /** True if it sets the brightness. */
  readonly dims: boolean;
  readonly power: boolean;
}

/** Which route does what; null if none does. */
export interface Choice {
  readonly brightness: RouteName | null;
  readonly power: RouteName | null;
}

/** A route that claimed to do something it did not do. */
export interface Distrust {
  readonly route: RouteName;
  readonly part: keyof Choice;
}

/** What is known of the routes to one display. */
export interface RouteTrust {
  readonly distrusted: readonly Distrust[];
  /** What worked for this display; tried first. */
  readonly proved: { readonly display: string; readonly choice: Choice } | null;
  /** The displays and sessions that were listed last; null before the first listing. */
  readonly surroundings: string | null;
  /** Consecutive readings that failed. */
  readonly failedReadings: number;
}

/** What a display's driver found out about its routes. `isDark` means a display in use that is switched off. */
export type RouteFinding =
  /** A chosen route could not be read. */
  | { readonly type: 'route.unread'; readonly route: RouteName }
  /** A write was refused, or accepted without effect; `display` is the one in use. */
  | {
      readonly type: 'route.failed';
      readonly route: RouteName;
      readonly part: keyof Choice;
      readonly display: string | undefined;
    }
  /** A probe found no route. */
  | { readonly type: 'routes.exhausted' }
  | {
      readonly type: 'routes.preferred';
      readonly display: string;
      readonly choice: Choice;
      /** The display in use. */
      readonly held: { readonly display: string; readonly choice: Choice } | null;
    }
  | { readonly type: 'surroundings.listed'; readonly surroundings: string; readonly isDark: boolean }
  | { readonly type: 'reading.made' }
  /** `isGone` if the route reports that the display is gone. */
  | { readonly type: 'reading.failed'; readonly isGone: boolean; readonly isDark: boolean };

/** The consequence of a finding: keep using the display, choose its routes again, or give it up. */
export interface RouteStep {
  readonly trust: RouteTrust;
  readonly order: 'keep' | 'choose' | 'lose';
}

/** How a write is refused, and what is reported with it: the display as it is reached now, or that it is lost. */
export interface RouteRefusalAnswer {
  readonly report: 'found' | 'lost' | null;
  readonly reason: string;
}

/** What is known of a target when targets are grouped into displays. */
export interface TargetSign {
  readonly route: RouteName;
  readonly connector: string | null;
  readonly name: string;
}

/** One display and the targets that reach it, as indices into the given list. */
export interface AssignedDisplay {
  readonly name: string;
  readonly targets: readonly number[];
}

/** What a display can do, in its own units, found by probing. */
export interface DisplayFacts {
  /** Name of the kernel's device, or of the simulated one; shown to the owner. */
  readonly name: string;
  /** Largest raw brightness, at least 1. */
  readonly rawMax: number;
  /** Smallest raw brightness that is still lit, at least 1. */
  readonly rawMin: number;
  /** True if the power can be switched; otherwise off means the floor. */
  readonly power: boolean;
  /** The routes in use. */
  readonly routes?: Choice;
  /** Longest time for one write with its read-back; two seconds if absent. */
  readonly answerMs?: Milliseconds;
  /** What it cannot do and why, and the one command that changes that; absent if there is nothing to report. */
  readonly remark?: { readonly missing: string; readonly fix: Fix | null };
}

/** A reading from a display. */
export interface DisplayReading {
  /** Raw brightness, 0 to rawMax. */
  readonly raw: number;
  /** False when powered off; always true where power cannot be switched. */
  readonly powered: boolean;
}

/** Commands of a screen's driver, in raw units that the machine decided. */
export type ScreenDriverCommand =
  /**
   * Write what is not null, read it back and answer with the same generation: `display.written` or `display.refused`.
   */
  | {
      readonly type: 'display.write';
      readonly generation: number;
      readonly raw: number | null;
      readonly powered: boolean | null;
      /**
       * Present if the write must not light a display: one that is switched off, or at this raw value or below, is left
       * as it is, and the answer is its reading.
       */
      readonly onlyAbove?: number;
      /**
       * Time over which the brightness is stepped to `raw`, without a reading in between; absent to write at once. Only
       * for a brightness that the kernel's backlight sets.
       */
      readonly fadeMs?: Milliseconds;
    }
  /**
   * Ends the fade of the write with this generation within one step; it is answered with the brightness that it has
   * reached. Ignored without such a fade.
   */
  | { readonly type: 'display.cut'; readonly generation: number }
  /** Probe for a display (again); answered by `display.found` or `display.missing`. Ignored while one is in use. */
  | { readonly type: 'display.probe' }
  /**
   * Read once, now: a display that was switched off may have switched itself on again. Answered by `display.observed`
   * if something changed.
   */
  | { readonly type: 'display.read' }
  /** What worked for this display in an earlier run; tried first from now on. */
  | { readonly type: 'display.prefer'; readonly display: string; readonly choice: Choice };

/** Commands of the store of the last level; it writes at most once every five seconds, and when it ends. */
export type ScreenStoreCommand =
  | { readonly type: 'level.keep'; readonly level: number }
  /** The routes used for a display from now on. */
  | { readonly type: 'routes.keep'; readonly display: string; readonly choice: Choice };

/** Reported by the screen's driver. */
export type ScreenFact =
  | {
      readonly type: 'display.found';
      readonly display: DisplayFacts;
      readonly reading: DisplayReading;
      readonly at: EpochMs;
    }
  | { readonly type: 'display.missing'; readonly verdict: Verdict }
  /** A poll read a value; sent at least whenever it differs from the last one. */
  | { readonly type: 'display.observed'; readonly reading: DisplayReading; readonly at: EpochMs }
  /** The answer to one `display.write`: the read-back, or why it failed. `at` is when the last write was done. */
  | {
      readonly type: 'display.written';
      readonly generation: number;
      readonly reading: DisplayReading;
      readonly at: EpochMs;
    }
  /**
   * Reason `route-changed`: this route did not do what it claimed and another one is used from now on, see the
   * preceding `display.found`. Reason `power-not-honoured`: the power switch did nothing, so the display must be used
   * without it.
   */
  | { readonly type: 'display.refused'; readonly generation: number; readonly reason: string }
  /** The device is gone; a `display.probe` finds it again. */
  | { readonly type: 'display.lost'; readonly reason: string };

/** Contract of a display's driver. */
export type ScreenDriver = DriverLogic<ScreenDriverCommand, undefined, ScreenFact>;

/** Reported by the store of the last level. */
export type ScreenStoreFact =
  /** The level that an earlier run stored, 1 to 255. */
  | { readonly type: 'level.recalled'; readonly level: number }
  /** The routes that an earlier run used for a display. */
  | { readonly type: 'routes.recalled'; readonly display: string; readonly choice: Choice };

export type ScreenEvent =
  /** Switch and/or set the level (0 to 255; 0 is off); newest wins. ON without a level restores the last one. */
  | { readonly type: 'screen.set'; readonly on?: boolean; readonly brightness?: number; readonly origin: string }
  /**
   * The level (1 to 255) that the light of the room asks for. A lit display fades to it; one that is dark or going dark
   * only has it restored by the next ON, and nothing is written.
   */
  | { readonly type: 'screen.adjust'; readonly level: number; readonly origin: 'auto-brightness' }
  /** Minimum brightness while on, in percent of the hardware's range (0 to 99). */
  | { readonly type: 'screen.limits'; readonly minimumPercent: number }
  /** Probe for a display now instead of at the next interval. */
  | { readonly type: 'screen.probe' }
  /** Lights a dark screen, then ends: without the agent neither a touch nor Home Assistant could light it. */
  | { readonly type: 'screen.stop' }
  /** Ends without changing the screen: for a read-only agent. */
  | { readonly type: 'screen.leave' }
  | ScreenStoreFact
  | ScreenFact;

/** Public facts of the screen. */
export interface ScreenContext {
  readonly verdict: Verdict;
  readonly display: DisplayFacts | null;
  /** True if the screen is lit; null while unknown. */
  readonly lit: boolean | null;
  /** True if it will be lit once the pending writes are done; null without pending writes. */
  readonly wanted: boolean | null;
  /** 1 to 255 while known, otherwise null: the requested level if the read-back is what was written. */
  readonly brightness: number | null;
  /** The level that ON restores, 1 to 255: on a dark display the last one that the light of the room asked for. */
  readonly lastBrightness: number;
  /** Minimum brightness while on, in percent of the hardware's range (0 to 99). */
  readonly minimumPercent: number;
  /** True once this run has found a display; stays true when it is lost. */
  readonly seen: boolean;
  /**
   * What changed it last (`home-assistant`, `http`, `touch`, `wave`, `auto-brightness`, `auto-sleep`, `clock`,
   * `presence`, `announcement`, `entity`, `voice`, `stop`, `elsewhere`, or the screen `itself`) and when.
   */
  readonly changed: { readonly by: string; readonly at: EpochMs } | null;
  /** Why the last write failed; null after a good one. */
  readonly fault: string | null;
}

export interface ScreenActor {
  readonly id: ScreenId;
  readonly context: ScreenContext;
  readonly event: Extract<
    ScreenEvent,
    { readonly type: 'screen.set' | 'screen.adjust' | 'screen.probe' | 'screen.stop' | 'screen.leave' }
  >;
}
