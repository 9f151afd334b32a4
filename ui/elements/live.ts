import { t } from '../strings/t.ts';
import { ago, clock } from '../strings/times.ts';
import type { AnyPart } from '../parts/sections.ts';
import { closest } from './closest.ts';
import { redraw, whenLetGo } from './morph.ts';
import { onLink, onStatus, takeAgain } from './stream.ts';

let parts: ReadonlyMap<string, AnyPart> = new Map();

/** Registers the parts this page can have; call before the first is connected. */
export function drawWith(all: ReadonlyMap<string, AnyPart>): void {
  parts = all;
}

/** Draws a part in its element again whenever a status section that it reads changes. */
export function keepDrawn(element: Element, part: AnyPart | undefined): void {
  if (part === undefined) return;
  onStatus((status) => {
    redraw(element, part.draw({ status, now: Date.now() }).toString());
    const card = part.stateOf === undefined ? null : element.closest<HTMLElement>('.card');
    const state = part.stateOf?.(status);
    if (card === null || state === undefined) return;
    card.dataset['state'] = state;
    card.hidden = state === 'absent';
  }, part.reads);
}

/** A part of the page that follows the status. */
export class SconceLive extends HTMLElement {
  connectedCallback(): void {
    keepDrawn(this, parts.get(this.getAttribute('part') ?? ''));
  }
}

/** Shows "not live" while the stream is down; hidden otherwise. */
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

/** How often relative times and drawn clocks are updated while the page is visible, in milliseconds. */
const momentsMs = 10_000;

function refreshMoments(): void {
  if (document.hidden) return;
  for (const face of document.querySelectorAll('[data-clock]')) face.textContent = clock(Date.now());
  for (const moment of document.querySelectorAll<HTMLElement>('.moment')) {
    const at = Number(moment.dataset['at']);
    if (!moment.hasAttribute('data-keep')) moment.textContent = ago(at, Date.now());
  }
}

/** Shows a slider's true value once it is released: if the panel did not follow, no change event would reset it. */
export const startSettling = (): void => whenLetGo(takeAgain);

/** Keeps relative times up to date, and shows the exact time on tap. */
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
