import type { Verdict } from '../kit/verdict.ts';
import type { EpochMs } from '../kit/units.ts';

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
}

/** What was read back from a display. */
export interface DisplayReading {
  /** Raw brightness, 0 to rawMax. */
  readonly raw: number;
  /** False when powered off; always true where power cannot be switched. */
  readonly powered: boolean;
}

/** What the screen driver is told (raw units; the machine decides them). */
export type ScreenDriverCommand = { readonly type: 'display.write'; readonly generation: number; readonly raw: number | null; readonly powered: boolean | null };

/** What the screen driver reports. */
export type ScreenFact =
  | { readonly type: 'display.found'; readonly display: DisplayFacts; readonly reading: DisplayReading }
  | { readonly type: 'display.missing'; readonly verdict: Verdict }
  /** A poll saw a value; sent at least when it differs from the last one. */
  | { readonly type: 'display.observed'; readonly reading: DisplayReading }
  /** The answer to one `display.write`: what was read back, or why it failed. */
  | { readonly type: 'display.written'; readonly generation: number; readonly reading: DisplayReading }
  | { readonly type: 'display.refused'; readonly generation: number; readonly reason: string }
  | { readonly type: 'display.lost'; readonly reason: string };

export type ScreenEvent =
  /** Switch and/or set the level (0 to 255; 0 is off); newest wins. ON without a level restores the last one. */
  | { readonly type: 'screen.set'; readonly on?: boolean; readonly brightness?: number; readonly origin: string }
  | { readonly type: 'screen.limits'; readonly minimumPercent: number }
  | { readonly type: 'screen.stop' }
  | ScreenFact;

/** Public facts of the screen. */
export interface ScreenContext {
  readonly verdict: Verdict;
  readonly display: DisplayFacts | null;
  /** Whether the screen gives light; null while unknown. */
  readonly lit: boolean | null;
  /** 1 to 255 while known, null otherwise: the requested level when the read-back is what was written. */
  readonly brightness: number | null;
  /** The level that ON restores, 1 to 255. */
  readonly lastBrightness: number;
  /** Who changed it last (`home-assistant`, `http`, `elsewhere`) and when. */
  readonly changed: { readonly by: string; readonly at: EpochMs } | null;
  /** Why the last write failed; null after a good one. */
  readonly fault: string | null;
}
