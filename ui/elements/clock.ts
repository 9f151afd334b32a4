import { wallClock } from '../strings/wall-clock.ts';

const minuteMs = 60_000;

/**
 * Where the page stands, in pixels from its middle, for one minute each: what hangs on a wall for days moves a little,
 * so that nothing burns in. The margin of the page is wider.
 */
const places = [
  [0, 0],
  [6, 0],
  [6, 6],
  [0, 6],
  [-6, 6],
  [-6, 0],
  [-6, -6],
  [0, -6],
  [6, -6],
] as const;

/** Writes the time into the clock, and moves the page; nothing on a page without one. */
export function showTime(now = Date.now()): void {
  const clock = document.querySelector('[data-clock]');
  if (clock === null) return;
  clock.textContent = wallClock(document.documentElement.lang, now, now);
  const [x, y] = places[Math.floor(now / minuteMs) % places.length] ?? places[0];
  document.body.style.transform = `translate(${x}px, ${y}px)`;
}

/** Keeps the clock right by itself, with one timer a minute. A page without one starts none. */
export function startClock(): void {
  if (document.querySelector('[data-clock]') === null) return;
  const tick = (): void => {
    if (!document.hidden) showTime();
    window.setTimeout(tick, minuteMs - (Date.now() % minuteMs));
  };
  tick();
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) showTime();
  });
}
