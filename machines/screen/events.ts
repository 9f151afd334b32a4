import type { DriverLogic } from '../kit/placeholder.ts';
import type { Fix, Verdict } from '../kit/verdict.ts';
import type { EpochMs, Milliseconds } from '../kit/units.ts';

/** Registry ids of the screens, the first one first; each is a light of its own, and these names are for ever. */
export const screenIds = ['screen', 'screen_2', 'screen_3', 'screen_4'] as const;
export type ScreenId = (typeof screenIds)[number];

/** The ways to a display. */
export type RouteName = 'adb' | 'backlight' | 'wlopm' | 'kscreen' | 'xset' | 'ddc' | 'dimming';

/** What one route offers for one display. */
export interface Offer {
  readonly route: RouteName;
  /** Whether it sets the brightness. */
  readonly dims: boolean;
  readonly power: boolean;
}

/** Which route does what; null where none does. */
export interface Choice {
  readonly brightness: RouteName | null;
  readonly power: RouteName | null;
}

/** A route that was caught: what it said it did was not so. */
export interface Distrust {
  readonly route: RouteName;
  readonly part: keyof Choice;
}

/** What is known of the routes to one display. */
export interface RouteTrust {
  readonly distrusted: readonly Distrust[];
  /** What worked for this display; tried first. */
  readonly proved: { readonly display: string; readonly choice: Choice } | null;
  /** The displays and sessions that were there; null before they were listed. */
  readonly surroundings: string | null;
  /** Readings in a row that failed. */
  readonly failedReadings: number;
}

/** What the driver of a display found out of its routes. `isDark` is a display in use that is switched off. */
export type RouteFinding =
  /** A route that was chosen could not be read. */
  | { readonly type: 'route.unread'; readonly route: RouteName }
  /** A write was refused, or taken and not done; `display` is the one in use. */
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
  /** `isGone` where the route says that the display is. */
  | { readonly type: 'reading.failed'; readonly isGone: boolean; readonly isDark: boolean };

/** What follows of a finding: the display is used on, its routes are chosen anew, or it is lost. */
export interface RouteStep {
  readonly trust: RouteTrust;
  readonly order: 'keep' | 'choose' | 'lose';
}

/** How a write is refused, and what is reported beside it: the display as it is now reached, or that it is lost. */
export interface RouteRefusalAnswer {
  readonly report: 'found' | 'lost' | null;
  readonly reason: string;
}

/** What is known of a target when displays are made of targets. */
export interface TargetSign {
  readonly route: RouteName;
  readonly connector: string | null;
  readonly name: string;
}

/** One display and the targets that reach it, by their places in the list they came in. */
export interface AssignedDisplay {
  readonly name: string;
  readonly targets: readonly number[];
}

/** What a display can do, in its own units, found by trying. */
export interface DisplayFacts {
  /** Name of the kernel's device or of the simulated one; shown to the owner. */
  readonly name: string;
  /** Largest raw brightness, at least 1. */
  readonly rawMax: number;
  /** Smallest raw brightness that is still lit, at least 1. */
  readonly rawMin: number;
  /** Whether the light can be switched off by power; false means off is the floor. */
  readonly power: boolean;
  /** Which routes are used. */
  readonly routes?: Choice;
  /** Longest time for one write with its read-back; two seconds when absent. */
  readonly answerMs?: Milliseconds;
  /** What it cannot do and why, and the one command that changes that; absent when there is nothing to say. */
  readonly remark?: { readonly missing: string; readonly fix: Fix | null };
}

/** What was read back from a display. */
export interface DisplayReading {
  /** Raw brightness, 0 to rawMax. */
  readonly raw: number;
  /** False when powered off; always true where power cannot be switched. */
  readonly powered: boolean;
}

/** Commands of a screen's driver (raw units; the machine decides them). */
export type ScreenDriverCommand =
  /**
   * Write what is not null, read it back and answer with the same generation: `display.written` or `display.refused`.
   */
  | {
      readonly type: 'display.write';
      readonly generation: number;
      readonly raw: number | null;
      readonly powered: boolean | null;
    }
  /** Probe for a display (again); answered by `display.found` or `display.missing`. Ignored while one is in use. */
  | { readonly type: 'display.probe' }
  /**
   * Read once, now: a display that was switched off may have switched itself on again. Answered by `display.observed`
   * where something changed.
   */
  | { readonly type: 'display.read' }
  /** What worked for this display in an earlier run; it is tried first from now on. */
  | { readonly type: 'display.prefer'; readonly display: string; readonly choice: Choice };

/** Commands of the store of the last level; it writes at most once per five seconds, and on its end. */
export type ScreenStoreCommand =
  | { readonly type: 'level.keep'; readonly level: number }
  /** The routes that are used for a display from now on. */
  | { readonly type: 'routes.keep'; readonly display: string; readonly choice: Choice };

/** What the screen driver reports. */
export type ScreenFact =
  | {
      readonly type: 'display.found';
      readonly display: DisplayFacts;
      readonly reading: DisplayReading;
      readonly at: EpochMs;
    }
  | { readonly type: 'display.missing'; readonly verdict: Verdict }
  /** A poll saw a value; sent at least when it differs from the last one. */
  | { readonly type: 'display.observed'; readonly reading: DisplayReading; readonly at: EpochMs }
  /**
   * The answer to one `display.write`: what was read back, or why it failed. `at` is the moment when the last write was
   * done.
   */
  | {
      readonly type: 'display.written';
      readonly generation: number;
      readonly reading: DisplayReading;
      readonly at: EpochMs;
    }
  /**
   * Reason `route-changed`: this route did not do what it says and another one is used from now on, see the
   * `display.found` before it. Reason `power-not-honoured`: the power switch did nothing, so the display must be used
   * without it.
   */
  | { readonly type: 'display.refused'; readonly generation: number; readonly reason: string }
  /** The device is gone; a `display.probe` finds it again. */
  | { readonly type: 'display.lost'; readonly reason: string };

/** Contract of a display's driver. */
export type ScreenDriver = DriverLogic<ScreenDriverCommand, undefined, ScreenFact>;

/** What the store of the last level reports. */
export type ScreenStoreFact =
  /** The level that an earlier run left behind, 1 to 255. */
  | { readonly type: 'level.recalled'; readonly level: number }
  /** The routes that an earlier run used for a display. */
  | { readonly type: 'routes.recalled'; readonly display: string; readonly choice: Choice };

export type ScreenEvent =
  /** Switch and/or set the level (0 to 255; 0 is off); newest wins. ON without a level restores the last one. */
  | { readonly type: 'screen.set'; readonly on?: boolean; readonly brightness?: number; readonly origin: string }
  /** Minimum brightness while on, in percent of the hardware's range (0 to 99). */
  | { readonly type: 'screen.limits'; readonly minimumPercent: number }
  /** Probe for a display at once instead of at the next turn. */
  | { readonly type: 'screen.probe' }
  /** Lights a dark screen, then ends: without the agent neither a touch nor Home Assistant could. */
  | { readonly type: 'screen.stop' }
  /** Ends and leaves the screen as it is: for a read-only agent. */
  | { readonly type: 'screen.leave' }
  | ScreenStoreFact
  | ScreenFact;

/** Public facts of the screen. */
export interface ScreenContext {
  readonly verdict: Verdict;
  readonly display: DisplayFacts | null;
  /** Whether the screen gives light; null while unknown. */
  readonly lit: boolean | null;
  /** Whether it will give light once the writes under way are done; null when there are none. */
  readonly wanted: boolean | null;
  /** 1 to 255 while known, null otherwise: the requested level when the read-back is what was written. */
  readonly brightness: number | null;
  /** The level that ON restores, 1 to 255. */
  readonly lastBrightness: number;
  /** Minimum brightness while on, in percent of the hardware's range (0 to 99). */
  readonly minimumPercent: number;
  /** Whether this run has found a display; stays true when it goes. */
  readonly seen: boolean;
  /**
   * Who changed it last (`home-assistant`, `http`, `touch`, `wave`, `stop`, `elsewhere`, or the screen `itself`) and
   * when.
   */
  readonly changed: { readonly by: string; readonly at: EpochMs } | null;
  /** Why the last write failed; null after a good one. */
  readonly fault: string | null;
}

/** What the actor of a screen shows to the rest of the house. */
export interface ScreenActor {
  readonly id: ScreenId;
  readonly context: ScreenContext;
  readonly event: Extract<
    ScreenEvent,
    { readonly type: 'screen.set' | 'screen.probe' | 'screen.stop' | 'screen.leave' }
  >;
}
