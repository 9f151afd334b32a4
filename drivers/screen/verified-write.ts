import { setTimeout as pause } from 'node:timers/promises';

import type { Milliseconds } from '#machines/kit/units.ts';
import type { DisplayReading } from '#machines/screen/events.ts';

import { type ChosenDisplay, readDisplay } from './find-display.ts';
import type { RouteReading, RouteTarget } from './route.ts';

/** Readings of a value that has not arrived yet (hardware that fades, a compositor that takes its time). */
const READ_BACKS = 5;
const QUICK_PAUSE_MS: Milliseconds = 20;
const SLOW_PAUSE_MS: Milliseconds = 250;
/** A route that polls at least this often answers quickly. */
const QUICK_MS: Milliseconds = 1000;

/** Failures in a row before a route is given up; a tool may be slow once, and a value half written. */
export const FAILURES = 3;

/** What a write is to change; null is left as it is. */
export type DisplayPart = Parameters<RouteTarget['write']>[0];

/**
 * Writes up to so many times until the route takes it. Lighting is tried again before a route is given up: a cable may
 * be busy, a monitor not awake yet, and the wall would stay dark.
 */
export async function insist(
  target: RouteTarget,
  part: DisplayPart,
  tries: number,
  signal: AbortSignal,
): ReturnType<RouteTarget['write']> {
  for (let attempt = 1; ; attempt += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one try after another
    const done = await target.write(part, signal);
    if (done.ok || done.reason === 'gone' || attempt >= tries || signal.aborted) return done;
    // oxlint-disable-next-line no-await-in-loop -- as above
    await pause(SLOW_PAUSE_MS, undefined, { signal });
  }
}

const isQuick = (target: RouteTarget | null): boolean =>
  target === null || (target.pollMs !== null && target.pollMs < QUICK_MS) || target.route === 'backlight';

/**
 * Reads until the display shows what was written, at most five times: then what it shows instead. `complete` adds what
 * no route says.
 */
export async function readBack(
  display: ChosenDisplay,
  wanted: DisplayPart,
  complete: (reading: RouteReading) => DisplayReading,
  signal: AbortSignal,
): Promise<DisplayReading | { readonly refused: RouteTarget; readonly reason: string }> {
  const quick = [display.brightness, display.power].every(isQuick);
  for (let attempt = 1; ; attempt += 1) {
    // oxlint-disable-next-line no-await-in-loop -- this is a wait for the hardware
    const now = await readDisplay(display, signal);
    if ('refused' in now) {
      // A monitor that is waking up does not answer at once.
      if (now.reason === 'gone' || attempt >= FAILURES || signal.aborted) return now;
      // oxlint-disable-next-line no-await-in-loop -- as above
      await pause(SLOW_PAUSE_MS, undefined, { signal });
      continue;
    }
    const reading = complete(now.reading);
    const switched = wanted.powered === null || display.power === null || reading.powered === wanted.powered;
    const dimmed = wanted.raw === null || !reading.powered || reading.raw === wanted.raw;
    if ((switched && dimmed) || attempt === READ_BACKS) return reading;
    // oxlint-disable-next-line no-await-in-loop -- as above
    await pause(quick ? QUICK_PAUSE_MS : SLOW_PAUSE_MS, undefined, { signal });
  }
}
