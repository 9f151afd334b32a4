import type { ToolRefusal } from '#drivers/kit/run-tool.ts';
import type { Result } from '#machines/kit/result.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { DisplayReading, RouteName } from '#machines/screen/events.ts';

/**
 * Why a route cannot be used: its tool failed, its output makes no sense, no session runs or only another user's,
 * permissions are missing, or there is nothing for it to control.
 */
export type RouteRefusal =
  | ToolRefusal
  | 'not-understood'
  | 'no-session'
  | 'other-users'
  | 'not-permitted'
  | 'nothing-there'
  | 'gone';

/** A route's reading of a display; null for what it does not know. */
export interface RouteReading {
  readonly raw: number | null;
  readonly powered: boolean | null;
}

/** One display, as reached by one route. */
export interface RouteTarget {
  readonly route: RouteName;
  /**
   * The connector as the kernel names it (`HDMI-A-1`); null if the route does not know it, or reaches all displays at
   * once.
   */
  readonly connector: string | null;
  /** Name that the owner sees. */
  readonly name: string;
  /** Largest raw brightness; null if the route cannot set it. */
  readonly rawMax: number | null;
  /** Lowest raw brightness that is still visible; 1 by default. */
  readonly rawMin?: number;
  /** True if the route can probably switch power; it is not tried. */
  readonly power: boolean;
  /** Interval of polling for changes made elsewhere; null for never, if a reading is expensive or wakes the display. */
  readonly pollMs: Milliseconds | null;
  /** Time limit of one write with its read-back. */
  readonly answerMs: Milliseconds;
  /** Reads the wanted parts; the others may be null. */
  readonly read: (
    wanted: { readonly raw: boolean; readonly powered: boolean },
    signal: AbortSignal,
  ) => Promise<Result<RouteReading, RouteRefusal>>;
  /** Writes the parts that are not null. Success does not mean that the display obeyed: `read` tells. */
  readonly write: (
    part: { readonly raw: number | null; readonly powered: boolean | null },
    signal: AbortSignal,
  ) => Promise<Result<null, RouteRefusal>>;
  /**
   * What was requested of the display last, by whichever program; null while that cannot be read. Present if the
   * brightness may be stepped: a write takes less than a step.
   */
  readonly requested?: () => Promise<Result<DisplayReading | null, RouteRefusal>>;
  /** Closes the files that it holds open. */
  readonly close?: () => Promise<void>;
}

/** One way to reach displays; lists, by trying, those that it can read. */
export interface DisplayRoute {
  readonly name: RouteName;
  readonly list: (signal: AbortSignal) => Promise<Result<readonly RouteTarget[], RouteRefusal>>;
}
