import type { Milliseconds } from '../kit/units.ts';
import type { DisplayView, Level } from './events.ts';

/** Smallest change that is written, in levels (as panel-assistant, "Cadence and actuation"). */
export const DEADBAND = 4;
/**
 * A step against the last one is at least this share of the level, which the eye hardly sees: drifting clouds must not
 * pump the screen, while a dark screen still follows each step.
 */
const BACK_SHARE = 1 / 12;
/** The same for a monitor over DDC/CI, or Android over adb: a write takes seconds, and wears out a monitor's memory. */
const SLOW_DEADBAND = 10;
/** Least time between two writes to one of those. */
const SLOW_PAUSE_MS: Milliseconds = 60_000;

/** How long after a write a lit display that still has another level is written again (as above, "On error"). */
const RETRY_MS: Milliseconds = 60_000;

const slowRoutes: readonly (string | null)[] = ['ddc', 'adb'];

/** What a display was given last. */
export interface Told {
  readonly level: Level;
  /** When it was last written, on the monotonic clock; null if it never was. */
  readonly writtenAt: Milliseconds | null;
}

/** The last step that the light made. */
export interface LastStep {
  readonly from: Level;
  readonly to: Level;
}

/** True if the light asks for a level far enough from the current one. */
export function isFar(current: Level, target: Level, last: LastStep | null): boolean {
  // After a hand the last step says nothing.
  const isBack = last?.to === current && (target - current) * (last.to - last.from) < 0;
  return Math.abs(target - current) >= (isBack ? Math.max(DEADBAND, current * BACK_SHARE) : DEADBAND);
}

/** True if a lit display has not taken the level that it was given: the write was refused, or lost. */
const hasNotTaken = (
  { lit, level }: Pick<DisplayView, 'lit' | 'level'>,
  told: Told | undefined,
  elapsed: Milliseconds,
): boolean =>
  lit === true &&
  told !== undefined &&
  told.writtenAt !== null &&
  elapsed - told.writtenAt >= RETRY_MS &&
  Math.abs(level - told.level) >= DEADBAND;

/** In how many milliseconds a display is given this level, 0 for now; null if it needs none. */
export function writeIn(
  { route, lit, level }: Pick<DisplayView, 'route' | 'lit' | 'level'>,
  told: Told | undefined,
  target: { readonly level: Level; readonly isForced: boolean; readonly elapsed: Milliseconds },
): Milliseconds | null {
  if (route === null) return null;
  // A dark display is not written: it only restores the level with the next ON.
  const isSlow = lit !== false && slowRoutes.includes(route);
  // What a monitor reports over DDC/CI may be wrong forever, so it is not written again for that.
  const isLost = !isSlow && hasNotTaken({ lit, level }, told, target.elapsed);
  const change = Math.abs(target.level - (told === undefined || isLost ? level : told.level));
  const least = target.isForced ? 1 : isSlow ? SLOW_DEADBAND : told === undefined ? DEADBAND : 1;
  if (change < least) return null;
  if (!isSlow || told === undefined || told.writtenAt === null) return 0;
  return Math.max(0, told.writtenAt + SLOW_PAUSE_MS - target.elapsed);
}
