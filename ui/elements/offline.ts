import type { StatusDocument } from '#machines/status.ts';
import { offlineKey } from '../parts/offline-key.ts';
import { onScreen } from '../parts/on-screen.ts';
import { wallClock } from '../strings/wall-clock.ts';
import { showTime, startClock } from './clock.ts';
import { followStatus } from './status-stream.ts';

/** Poll interval, in milliseconds, for changes that cause no event. */
const refreshMs = 60_000;
/** The poll interval while progress is shown. */
const soonMs = 2_000;

/** How long a dashboard may take before the page says what the panel knows about it, in milliseconds. */
const lateMs = 20_000;

/** The panel writes times in its own time zone; a remote viewer may be in another. */
function localise(): void {
  for (const time of Array.from(document.querySelectorAll('time')))
    time.textContent = wallClock(document.documentElement.lang, Date.parse(time.dateTime), Date.now());
}

let startedAt: number | null = null;
/** The page as the panel served it last; the script has changed it since. */
let served = '';

let lateness: number | undefined;

/** Shows what delays the dashboard after `lateMs`, by one timer; a page without `[data-late]` has none. */
function announceDelay(): void {
  window.clearTimeout(lateness);
  const late = document.querySelector<HTMLElement>('[data-late]');
  startedAt = late === null ? null : (startedAt ?? Date.now());
  if (late === null || startedAt === null) return;
  const leftMs = lateMs - (Date.now() - startedAt);
  late.hidden = leftMs > 0;
  if (leftMs > 0) lateness = window.setTimeout(announceDelay, Math.min(leftMs, lateMs));
}

/** Redraws the page as the panel serves it now; unchanged if the panel does not answer. */
async function redraw(): Promise<void> {
  try {
    const answer = await fetch('/glass');
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('main');
    const main = document.querySelector('main');
    if (fresh === null || main === null || fresh.outerHTML === served) return;
    served = fresh.outerHTML;
    main.replaceWith(fresh);
    localise();
    showTime();
    announceDelay();
  } catch {
    // The agent is restarting; its stream shows when it is back.
  }
}

function take(status: StatusDocument): void {
  const main = document.querySelector('main');
  const screen = main?.getAttribute('data-elsewhere') ?? null;
  const moved = screen !== null && screen !== (onScreen(status.renderer) ?? '');
  if (moved || main?.getAttribute('data-shown') !== offlineKey(status)) void redraw();
}

/** Requests the dashboard; if that fails, the panel detects that the offline page is shown instead. */
function askForHome(): void {
  const body = JSON.stringify({ a: 'home' });
  fetch('/api/v1/action', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }).catch(() => {});
}

/** If the page is only the way back from the panel's own pages, it continues to the dashboard automatically. */
function linkBack(): void {
  if (document.querySelector('main[data-leads]') !== null) askForHome();
}

/**
 * The button that retries a failed dashboard; looked up each time, since every redraw replaces the main part of the
 * page.
 */
const startTrying = (): void =>
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('[data-try-again]') !== null) askForHome();
  });

/** Starts the offline page's script. */
export function startOffline(): void {
  served = document.querySelector('main')?.outerHTML ?? '';
  localise();
  startClock();
  linkBack();
  startTrying();
  announceDelay();
  followStatus({ take });
  window.setInterval(() => {
    if (!document.hidden && document.querySelector('main[data-soon]') !== null) void redraw();
  }, soonMs);
  // The panel's network address can change without any other event.
  window.setInterval(() => {
    if (!document.hidden) void redraw();
  }, refreshMs);
}
