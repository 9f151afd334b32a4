import type { StatusDocument } from '#machines/status.ts';
import { wallClock } from '../strings/wall-clock.ts';
import { followStatus } from './status-stream.ts';

/** Pause before what may have changed unseen is read, in milliseconds. */
const refreshMs = 60_000;
/** The same while the page says how far something is. */
const soonMs = 2_000;

const shownOf = ({ renderer, home_assistant: home, entity_filter: filter }: StatusDocument): string => {
  const { glass, away, fallback } = renderer ?? {};
  return [glass, away?.since, away?.reason, home?.lifecycle, fallback?.since, filter?.holding].join(' ');
};

/** The panel writes times in its own clock; who looks from elsewhere has another. */
const localise = (): void => {
  for (const time of Array.from(document.querySelectorAll('time')))
    time.textContent = wallClock(document.documentElement.lang, Date.parse(time.dateTime), Date.now());
};

/** Takes the page as the panel draws it now; a panel that does not answer leaves what stands. */
const redraw = async (): Promise<void> => {
  try {
    const answer = await fetch('/glass');
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('main');
    const main = document.querySelector('main');
    if (fresh === null || main === null || fresh.outerHTML === main.outerHTML) return;
    main.replaceWith(fresh);
    localise();
  } catch {
    // The agent restarts: its stream says when it is back.
  }
};

const take = (status: StatusDocument): void => {
  if (document.querySelector('main')?.getAttribute('data-shown') !== shownOf(status)) void redraw();
};

/** Asks for the dashboard; where that fails the panel finds by itself that its calm page stands in its place. */
const askForHome = (): void => {
  const body = JSON.stringify({ a: 'home' });
  fetch('/api/v1/action', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }).catch(() => {});
};

/** Where the page is only the way back from the panel's own pages, it leads on by itself. */
const leadBack = (): void => {
  if (document.querySelector('main[data-leads]') !== null) askForHome();
};

/** The button that tries a dashboard again which failed; the main part of the page is replaced with each redraw. */
const startTrying = (): void =>
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('[data-try-again]') !== null) askForHome();
  });

/** Starts what the page on the glass does by itself. */
export const startGlass = (): void => {
  localise();
  leadBack();
  startTrying();
  followStatus({ take });
  window.setInterval(() => {
    if (!document.hidden && document.querySelector('main[data-soon]') !== null) void redraw();
  }, soonMs);
  // The panel's address on the network may change without anything else changing.
  window.setInterval(() => {
    if (!document.hidden) void redraw();
  }, refreshMs);
};
