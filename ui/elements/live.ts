import { t } from '../strings/t.ts';
import { ago, clock } from '../strings/times.ts';
import type { AnyPart } from '../parts/sections.ts';
import { closest } from './closest.ts';
import { redraw, whenLetGo } from './morph.ts';
import { onLink, onStatus, takeAgain } from './stream.ts';

let parts: ReadonlyMap<string, AnyPart> = new Map();

/** Says which parts this page may have; before the first of them is there. */
export function drawWith(all: ReadonlyMap<string, AnyPart>): void {
  parts = all;
}

/** A part of the page that is drawn again whenever a section of the status changes that it reads. */
export class SconceLive extends HTMLElement {
  connectedCallback(): void {
    const part = parts.get(this.getAttribute('part') ?? '');
    if (part === undefined) return;
    onStatus((status) => redraw(this, part.draw({ status, now: Date.now() }).toString()), part.reads);
  }
}

/** Says "not live" while the stream is cut; hidden while all is well. */
export class SconceLink extends HTMLElement {
  connectedCallback(): void {
    onLink((live) => {
      this.hidden = live;
      document.documentElement.classList.toggle('is-cut', !live);
      const word = this.querySelector('[data-link-word]');
      if (word !== null) word.textContent = live ? t('shell.live') : t('shell.not_live');
    });
  }
}

/** How often "3 min ago" and drawn clocks are brought up to date while the page is seen, in milliseconds. */
const momentsMs = 10_000;

function refreshMoments(): void {
  if (document.hidden) return;
  for (const face of document.querySelectorAll('[data-clock]')) face.textContent = clock(Date.now());
  for (const moment of document.querySelectorAll<HTMLElement>('.moment')) {
    const at = Number(moment.dataset['at']);
    if (!moment.hasAttribute('data-keep')) moment.textContent = ago(at, Date.now());
  }
}

/**
 * Shows a slider as the panel has it once it was let go: where the panel did not follow, no change comes that would put
 * it back.
 */
export const startSettling = (): void => whenLetGo(takeAgain);

/** Keeps relative times true, and shows the exact one on tap. */
export function startMoments(): void {
  refreshMoments();
  window.setInterval(refreshMoments, momentsMs);
  document.addEventListener('visibilitychange', refreshMoments);
  document.addEventListener('click', (event) => {
    const moment = closest(event, '.moment');
    if (moment === null) return;
    const exact = moment.toggleAttribute('data-keep');
    moment.textContent = exact ? moment.title : ago(Number(moment.dataset['at']), Date.now());
  });
}
