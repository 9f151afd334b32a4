import type { AnyPart } from '../parts/sections.ts';
import { keepDrawn } from './live.ts';
import { onStatus } from './stream.ts';

declare global {
  interface Window {
    /** Set by a script that draws further parts of a page. */
    sconceLateParts?: ReadonlyMap<string, AnyPart>;
  }
}

/**
 * Loads what draws further parts of the page once the panel differs from what the page was drawn from: it is drawn
 * whole by the panel, and many visits end before anything changes. A load that fails is repeated with the next change.
 */
export function startLateParts(load: () => Promise<boolean>): void {
  const drawnAt = document.querySelector<HTMLElement>('[data-drawn-at]')?.dataset['drawnAt'];
  let isAsked = false;
  onStatus((status) => {
    if (isAsked || drawnAt === `${status.taken_at}`) return;
    isAsked = true;
    void load().then((isLoaded) => {
      isAsked = isLoaded;
      for (const element of document.querySelectorAll('sconce-live'))
        keepDrawn(element, window.sconceLateParts?.get(element.getAttribute('part') ?? ''));
    });
  });
}
