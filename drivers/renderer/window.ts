import { setTimeout as pause } from 'node:timers/promises';

import type { Milliseconds } from '#machines/kit/units.ts';

import { at, numberAt } from './json-fields.ts';
import type { PageSession } from './session.ts';

/** Time for a window manager to make the window as large as the screen. */
const MANAGED_MS: Milliseconds = 600;
const POLL_MS: Milliseconds = 100;

interface Extent {
  readonly width: number;
  readonly height: number;
}

function extentIn(value: unknown): Extent | null {
  const width = numberAt(value, 'width');
  const height = numberAt(value, 'height');
  return width !== null && height !== null && width > 0 && height > 0 ? { width, height } : null;
}

/**
 * Size of what is seen of a window, as an expression in its page. Chromium makes none narrower than 500 pixels where no
 * window manager does, and a page would be laid out for what is beyond the edge of a small screen.
 */
export const SEEN_SIZE = `(() => {
  const isCut = outerWidth > screen.width + 1;
  return {
    width: isCut ? screen.width : innerWidth,
    height: isCut ? screen.height : innerHeight,
    ratio: devicePixelRatio,
    isCut,
  };
})()`;

/** The window as the browser reports it, to compare as text. */
export async function readWindow(page: PageSession): Promise<unknown> {
  const answer = await page.call('Browser.getWindowForTarget');
  return answer.ok ? answer.value : null;
}

/** The screen's size if the window does not cover it; null if it does, or if either is unknown. */
async function uncovered(page: PageSession): Promise<Extent | null> {
  const bounds = extentIn(at(await readWindow(page), 'bounds'));
  const screen = extentIn(await page.evaluate('({ width: screen.width, height: screen.height })'));
  return bounds === null || screen === null || (bounds.width >= screen.width && bounds.height >= screen.height)
    ? null
    : screen;
}

/**
 * Makes the window cover the screen of an X server without a window manager, which no kiosk flag does (tried on Xvfb:
 * 10 pixels stay free on each side, and Chromium refuses to be exactly as large as the screen). Call it while no size
 * is emulated.
 */
export async function coverScreen(page: PageSession, withinMs: Milliseconds = MANAGED_MS): Promise<void> {
  const deadline = performance.now() + withinMs;
  let screen = await uncovered(page);
  while (screen !== null && performance.now() < deadline) {
    await pause(POLL_MS);
    screen = await uncovered(page);
  }
  const windowId = screen === null ? null : numberAt(await readWindow(page), 'windowId');
  if (screen === null || windowId === null) return;
  await page.call('Browser.setWindowBounds', { windowId, bounds: { windowState: 'normal' } });
  await page.call('Browser.setWindowBounds', {
    windowId,
    bounds: { left: 0, top: 0, width: screen.width, height: screen.height + 1 },
  });
  await page.call('Browser.setWindowBounds', { windowId, bounds: { windowState: 'fullscreen' } });
}
