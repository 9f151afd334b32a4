import type { ToolRefusal } from '#drivers/kit/run-tool.ts';
import type { Result } from '#machines/kit/result.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { RouteName } from '#machines/screen/events.ts';

/**
 * Why a route cannot be used: its tool's refusal, text that makes no sense, no session to ask or only another user's,
 * missing rights, or nothing there for it.
 */
export type RouteRefusal =
  | ToolRefusal
  | 'not-understood'
  | 'no-session'
  | 'other-users'
  | 'not-permitted'
  | 'nothing-there'
  | 'gone';

/** What one route says of one display; null for what it does not know. */
export interface RouteReading {
  readonly raw: number | null;
  readonly powered: boolean | null;
}

/** One display as one route reaches it. */
export interface RouteTarget {
  readonly route: RouteName;
  /**
   * The connector as the kernel names it (`HDMI-A-1`); null where the route does not know, or reaches all displays at
   * once.
   */
  readonly connector: string | null;
  /** Name for the owner. */
  readonly name: string;
  /** Largest raw brightness; null where the route sets none. */
  readonly rawMax: number | null;
  /** Darkest raw brightness that still shows something; 1 when absent. */
  readonly rawMin?: number;
  /** Whether the route switches power, as far as can be told without doing it. */
  readonly power: boolean;
  /**
   * How often it is worth polling for changes made elsewhere; null for never: asking costs too much, or wakes the
   * display.
   */
  readonly pollMs: Milliseconds | null;
  /** Longest time for one write with its read-back. */
  readonly answerMs: Milliseconds;
  /** Reads what is wanted of it; the rest may be null. */
  readonly read: (
    wanted: { readonly raw: boolean; readonly powered: boolean },
    signal: AbortSignal,
  ) => Promise<Result<RouteReading, RouteRefusal>>;
  /** Writes what is not null. Whether it came true is for `read` to say. */
  readonly write: (
    part: { readonly raw: number | null; readonly powered: boolean | null },
    signal: AbortSignal,
  ) => Promise<Result<null, RouteRefusal>>;
  /** Frees what it holds open. */
  readonly close?: () => Promise<void>;
}

/** One way to reach displays: it lists, by trying, those that it can read. */
export interface DisplayRoute {
  readonly name: RouteName;
  readonly list: (signal: AbortSignal) => Promise<Result<readonly RouteTarget[], RouteRefusal>>;
}
