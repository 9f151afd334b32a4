import type { ApprovalsContext } from '#machines/approvals/events.ts';
import type { AskingAtPanel } from '../parts/simulator-question.tsx';
import { t } from '../strings/t.ts';
import { closest } from './closest.ts';
import { ask } from './send.ts';
import { latestStatus } from './stream.ts';

/** How long "Approve" must be pressed, in milliseconds: as on the screen of a real panel. */
const HOLD_MS = 1_000;

type Send = (body: Readonly<Record<string, unknown>>) => Promise<void>;

/** True on the machine that runs the panel, whose browser counts as a person in front of it. */
const isHere = (): boolean => /^(?:127\.0\.0\.1|localhost|\[::1\])$/.test(window.location.hostname);

/** Questions of a simulated panel without a display: read, shown on the drawing, and answered there. */
export class SimulatorQuestion {
  readonly #root: HTMLElement;
  readonly #send: Send;
  #shown: ApprovalsContext['shown'] = null;
  #held: { readonly button: HTMLElement; readonly timer: number } | null = null;

  constructor(root: HTMLElement, post: Send) {
    this.#root = root;
    this.#send = post;
  }

  /** What to draw; null if this page may not answer. */
  get asking(): AskingAtPanel | null {
    const security = latestStatus()?.security;
    if (!isHere() || security?.place !== 'simulator') return null;
    const { mode, pending, barred } = security;
    return { shown: this.#shown, mode, pending, barred };
  }

  async read(): Promise<void> {
    if (this.asking === null) return;
    const answer = await ask('/api/v1/simulator/approvals');
    // The route's schema guarantees this type.
    this.#shown = answer.ok ? (answer.body['shown'] as ApprovalsContext['shown']) : null;
  }

  start(): void {
    const root = this.#root;
    root.addEventListener('click', (event) => {
      const mode = closest(event, '[data-mode]')?.dataset['mode'];
      const shows = closest(event, '[data-questions]') !== null;
      if (mode !== undefined) void this.#send({ security_mode: mode });
      if (shows) void this.#send({ questions: 'show' });
      // The question comes up on the drawing.
      if (mode !== undefined || shows) window.scrollTo(0, 0);
      const denied = closest(event, '[data-answer]');
      if (denied !== null) this.#answer(denied, 'deny');
    });
    root.addEventListener('pointerdown', (event) => {
      if (event.button === 0) this.#press(closest(event, '[data-hold]'));
    });
    root.addEventListener('contextmenu', (event) => {
      if (closest(event, '[data-hold]') !== null) event.preventDefault();
    });
    root.addEventListener('keydown', (event) => {
      const button = closest(event, '[data-hold]');
      if (button === null || (event.key !== 'Enter' && event.key !== ' ')) return;
      event.preventDefault();
      if (!event.repeat) this.#press(button);
    });
    for (const lifted of ['pointerup', 'pointercancel', 'keyup', 'blur'])
      window.addEventListener(lifted, () => this.#letGo());
  }

  #press(button: HTMLElement | null): void {
    if (button === null) return;
    this.#letGo();
    button.classList.add('is-held');
    button.textContent = t('sim.keep_holding');
    const timer = window.setTimeout(() => {
      this.#letGo();
      this.#answer(button, 'hold');
    }, HOLD_MS);
    this.#held = { button, timer };
  }

  #letGo(): void {
    if (this.#held === null) return;
    window.clearTimeout(this.#held.timer);
    this.#held.button.classList.remove('is-held');
    this.#held.button.textContent = t('sim.approve');
    this.#held = null;
  }

  #answer(button: HTMLElement, answer: 'hold' | 'deny'): void {
    const id = button.closest<HTMLElement>('[data-question]')?.dataset['question'];
    if (id !== undefined) void this.#send({ approval: id, answer });
  }
}
