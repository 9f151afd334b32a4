import type { StatusDocument } from '#machines/status.ts';
import { offlineKey } from '../parts/offline-key.ts';
import { onScreen } from '../parts/on-screen.ts';
import { wallClock } from '../strings/wall-clock.ts';
import { followStatus } from './status-stream.ts';

/** Pause before what may have changed unseen is read, in milliseconds. */
const refreshMs = 60_000;
/** The same while the page says how far something is. */
const soonMs = 2_000;

/** How long a dashboard may be on its way before the page says what the panel knows of it, in milliseconds. */
const lateMs = 20_000;

/** The panel writes times in its own clock; who looks from elsewhere has another. */
function localise(): void {
  for (const time of Array.from(document.querySelectorAll('time')))
    time.textContent = wallClock(document.documentElement.lang, Date.parse(time.dateTime), Date.now());
}

let startedAt: number | null = null;

/** Says what keeps the dashboard once it has been on its way for long; the panel's own page has no such words. */
function announceDelay(): void {
  const late = document.querySelector<HTMLElement>('[data-late]');
  startedAt = late === null ? null : (startedAt ?? Date.now());
  if (late !== null && startedAt !== null) late.hidden = Date.now() - startedAt < lateMs;
}

/** Takes the page as the panel draws it now; a panel that does not answer leaves what stands. */
async function redraw(): Promise<void> {
  try {
    const answer = await fetch('/glass');
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('main');
    const main = document.querySelector('main');
    if (fresh === null || main === null || fresh.outerHTML === main.outerHTML) return;
    main.replaceWith(fresh);
    localise();
    announceDelay();
  } catch {
    // The agent restarts: its stream says when it is back.
  }
}

function take(status: StatusDocument): void {
  const main = document.querySelector('main');
  const screen = main?.getAttribute('data-elsewhere') ?? null;
  const moved = screen !== null && screen !== (onScreen(status.renderer) ?? '');
  if (moved || main?.getAttribute('data-shown') !== offlineKey(status)) void redraw();
}

/** Asks for the dashboard; where that fails the panel finds by itself that its offline page stands in its place. */
function askForHome(): void {
  const body = JSON.stringify({ a: 'home' });
  fetch('/api/v1/action', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }).catch(() => {});
}

/** Where the page is only the way back from the panel's own pages, it leads on by itself. */
function linkBack(): void {
  if (document.querySelector('main[data-leads]') !== null) askForHome();
}

/** The button that tries a dashboard again which failed; the main part of the page is replaced with each redraw. */
const startTrying = (): void =>
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('[data-try-again]') !== null) askForHome();
  });

/** Starts what the page on the screen does by itself. */
export function startOffline(): void {
  localise();
  linkBack();
  startTrying();
  announceDelay();
  window.setInterval(announceDelay, 1_000);
  followStatus({ take });
  window.setInterval(() => {
    if (!document.hidden && document.querySelector('main[data-soon]') !== null) void redraw();
  }, soonMs);
  // The panel's address on the network may change without anything else changing.
  window.setInterval(() => {
    if (!document.hidden) void redraw();
  }, refreshMs);
}
