import type { AnyPart } from '../parts/sections.ts';
import { shellParts } from '../parts/shell-parts.tsx';
import { startConditions } from './conditions.ts';
import { drawWith, SconceLink, SconceLive, startMoments, startSettling } from './live.ts';
import { enable } from './morph.ts';
import { onStatus, startStream } from './stream.ts';
import { startPanelButtons } from './panel-buttons.ts';
import { applyTheme, startTheme } from './theme.ts';

/**
 * Marks browsers before Chromium 84, which know `gap` in grids but not in flex boxes; no style query tells them apart.
 */
function markFlexGap(): void {
  const box = document.createElement('div');
  box.className = 'flex-gap-probe';
  box.append(document.createElement('i'), document.createElement('i'));
  document.body.appendChild(box);
  document.documentElement.classList.toggle('no-flex-gap', box.scrollHeight === 0);
  box.remove();
}

/**
 * Starts what every page has; `startOwn` adds the page's own elements before the stream delivers the first status.
 * `parts` are the page's parts that follow the status, if it has more than the shell.
 */
export function startPage(
  startOwn: () => void,
  parts: ReadonlyMap<string, AnyPart> = new Map(Object.entries(shellParts)),
): void {
  // The script is in the head so that a pinned theme applies before the first paint; the rest waits for the page.
  applyTheme();
  document.addEventListener('DOMContentLoaded', () => {
    markFlexGap();
    enable(document);
    startTheme();
    startMoments();
    startSettling();
    drawWith(parts);
    customElements.define('sconce-live', SconceLive);
    customElements.define('sconce-link', SconceLink);
    startConditions();
    startPanelButtons();
    onStatus(({ security }) => void (document.documentElement.dataset['askedAt'] = security.place), ['security']);
    startOwn();
    startStream();
  });
}
