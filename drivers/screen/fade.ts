import { ok, type Result } from '#machines/kit/result.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { DisplayReading } from '#machines/screen/events.ts';

import type { RouteRefusal, RouteTarget } from './route.ts';

/** Pause between two steps. */
export const STEP_MS: Milliseconds = 40;

/** The way to one brightness. */
export interface Fade {
  /** Of the write that it is. */
  readonly generation: number;
  readonly to: number;
  readonly fadeMs: Milliseconds;
}

/** How far a fade came: the raw brightness that it wrote last, or found if it wrote none. */
export interface Faded {
  readonly raw: number;
  /** True if another program changed the display meanwhile; the fade then left it alone. */
  readonly isOvertaken: boolean;
}

/** A target whose brightness may be stepped. */
type Stepped = Pick<RouteTarget, 'write'> & { readonly requested: NonNullable<RouteTarget['requested']> };

/** Equal steps without the first value and with the last; fewer where the display has fewer values. */
export function fadeSteps(from: number, to: number, fadeMs: Milliseconds): readonly number[] {
  const count = Math.max(1, Math.min(Math.abs(to - from), Math.floor(fadeMs / STEP_MS)));
  return Array.from({ length: count }, (_, index) => Math.round(from + ((to - from) * (index + 1)) / count));
}

const isSame = (one: DisplayReading | null, other: DisplayReading | null): boolean =>
  one !== null && other !== null && one.raw === other.raw && one.powered === other.powered;

/** Steps displays from one brightness to another, one fade at a time. */
export function fades(signal: AbortSignal) {
  let lastCut = 0;
  let endPause = (): void => {};
  const pause = (ms: Milliseconds): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        endPause = () => {};
        resolve();
      };
      const timer = setTimeout(end, Math.max(0, ms));
      signal.addEventListener('abort', end);
      endPause = end;
    });

  return {
    /** Ends the fade of this write, or of an earlier one, before its next step; also one that has not begun. */
    cut: (generation: number): void => {
      lastCut = Math.max(lastCut, generation);
      endPause();
    },
    /** Resolves when the last step is written, or earlier if it is cut, overtaken or aborted. */
    run: async (target: Stepped, { generation, to, fadeMs }: Fade): Promise<Result<Faded, RouteRefusal>> => {
      const first = await target.requested();
      if (!first.ok) return first;
      const from = first.value?.raw ?? to;
      const steps = fadeSteps(from, to, fadeMs);
      const beganAt = performance.now();
      let reached = from;
      let index = 0;
      const isOver = (): boolean => generation <= lastCut || signal.aborted;
      while (!isOver()) {
        reached = steps[index] ?? to;
        // oxlint-disable-next-line no-await-in-loop -- one step after another
        const done = await target.write({ raw: reached, powered: null }, signal);
        if (!done.ok) return done;
        if (index >= steps.length - 1) break;
        // oxlint-disable-next-line no-await-in-loop -- as above
        const made = await target.requested();
        if (!made.ok) return made;
        if (isOver()) break;
        // oxlint-disable-next-line no-await-in-loop -- as above
        await pause(beganAt + (index + 1) * STEP_MS - performance.now());
        if (isOver()) break;
        // oxlint-disable-next-line no-await-in-loop -- as above
        const now = await target.requested();
        if (!now.ok) return now;
        if (!isSame(made.value, now.value)) return ok({ raw: reached, isOvertaken: true });
        // A machine that was busy leaves steps out, so that the fade ends in time.
        index = Math.min(steps.length - 1, Math.max(index + 1, Math.floor((performance.now() - beganAt) / STEP_MS)));
      }
      return ok({ raw: reached, isOvertaken: false });
    },
  };
}
