import { setTimeout as pause } from 'node:timers/promises';

import type { Milliseconds } from '#machines/kit/units.ts';
import type { DisplayReading } from '#machines/screen/events.ts';

import { type ChosenDisplay, readDisplay } from './find-display.ts';
import type { RouteReading, RouteTarget } from './route.ts';

/** Readings until a value must have arrived: hardware may fade, and a compositor may be slow. */
const READ_BACKS = 5;
const QUICK_PAUSE_MS: Milliseconds = 20;
const SLOW_PAUSE_MS: Milliseconds = 250;
/** A route with a shorter polling interval answers quickly. */
const QUICK_MS: Milliseconds = 1000;

/** Consecutive failures before a route is given up: a tool may be slow once, or a value half written. */
export const FAILURES = 3;

/** The parts that a write changes; null leaves a part as it is. */
export type DisplayPart = Parameters<RouteTarget['write']>[0];

/**
 * Writes until the route accepts it, at most `tries` times. Lighting is retried before a route is given up: the bus may
 * be busy or the monitor not awake yet, and the screen would stay dark.
 */
export async function writeWithRetries(
  target: RouteTarget,
  part: DisplayPart,
  tries: number,
  signal: AbortSignal,
): ReturnType<RouteTarget['write']> {
  for (let attempt = 1; ; attempt += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one attempt after another
    const done = await target.write(part, signal);
    if (done.ok || done.reason === 'gone' || attempt >= tries || signal.aborted) return done;
    // oxlint-disable-next-line no-await-in-loop -- as above
    await pause(SLOW_PAUSE_MS, undefined, { signal });
  }
}

const isQuick = (target: RouteTarget | null): boolean =>
  target === null || (target.pollMs !== null && target.pollMs < QUICK_MS) || target.route === 'backlight';

/**
 * Reads until the display shows what was written; after five readings returns what it shows instead. `complete` fills
 * in what no route reports.
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
      // A monitor that is waking up does not answer immediately.
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
