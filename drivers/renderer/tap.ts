import { serial } from '#drivers/kit/serial.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { TapOutcome, TapPoint } from '#machines/renderer/events.ts';

import { readExtent, takePicture } from './picture.ts';
import type { PageSession } from './session.ts';

/** Most taps that wait for the one before them, and for how long; both as in panel-assistant. */
const WAITING_LIMIT = 8;
const WAITING_MS: Milliseconds = 5000;
/**
 * Longest wait for the page to take a touch event; an overloaded one needs up to 2.3 s (measured with Chromium 156).
 */
const FINGER_MS: Milliseconds = 4000;
/** Time for the page to show the effect of the tap before the picture (as in panel-assistant). */
const SETTLE_MS: Milliseconds = 1000;
/** Longest wait for a page to thaw; all waits together stay below that of the caller (25 s). */
const READY_MS: Milliseconds = 3000;

const pause = (ms: Milliseconds): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

export interface TapDeps {
  readonly page: PageSession;
  /** False if the page takes no input, as after a crash. */
  readonly answers: () => boolean;
  /** Settles once a pending thaw is done. */
  readonly ready: () => Promise<void>;
}

/**
 * Makes taps, one after the other. A finger, not a mouse: the page receives what a touch screen sends (touch and
 * pointer events, then the click), and no pointer or hover remains. The browser makes the touch, so it does not wake
 * the screen.
 */
export function openTaps({ page, answers, ready }: TapDeps): (at: TapPoint) => Promise<TapOutcome> {
  const inTurn = serial();
  let waiting = 0;

  const finger = async (type: string, ...touchPoints: readonly object[]): Promise<boolean> =>
    (await page.call('Input.dispatchTouchEvent', { type, touchPoints }, FINGER_MS)).ok;

  const isReady = async (): Promise<boolean> => {
    let late: ReturnType<typeof setTimeout> | undefined;
    const bound = new Promise<false>((resolve) => {
      late = setTimeout(() => resolve(false), READY_MS);
    });
    const isInTime = await Promise.race([ready().then(() => true), bound]);
    clearTimeout(late);
    return isInTime;
  };

  const touch = async (x: number, y: number): Promise<TapOutcome> => {
    const extent = (await isReady()) && answers() ? await readExtent(page) : null;
    if (extent === null) return { ok: false, reason: 'no-answer' };
    const { width, height, ratio } = extent;
    const point = { x: x / ratio, y: y / ratio };
    if (point.x >= width || point.y >= height)
      return { ok: false, reason: 'outside', width: Math.ceil(width * ratio), height: Math.ceil(height * ratio) };
    if (!(await finger('touchStart', point))) {
      // A finger left down would become a long press once the page goes on.
      void finger('touchCancel');
      return { ok: false, reason: 'no-answer' };
    }
    return (await finger('touchEnd')) ? { ok: true, png: null } : { ok: false, reason: 'unknown' };
  };

  /** In turn with its picture, so that the picture shows nothing of the next tap. */
  const make = async ({ x, y, capture }: TapPoint): Promise<TapOutcome> => {
    const outcome = await touch(x, y);
    if (!outcome.ok || !capture) return outcome;
    await pause(SETTLE_MS);
    return { ok: true, png: await takePicture(page) };
  };

  return async (point) => {
    if (waiting >= WAITING_LIMIT) return { ok: false, reason: 'busy' };
    waiting += 1;
    const before = performance.now();
    return inTurn(() => {
      waiting -= 1;
      return performance.now() - before > WAITING_MS ? { ok: false, reason: 'busy' } : make(point);
    });
  };
}
