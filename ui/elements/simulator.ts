import type { DayFrame, EveningFrame, SimulatedPanel } from '#machines/simulator/events.ts';
import { isScale, scaleOf } from '../parts/simulator-scales.ts';
import { SimulatorView } from '../parts/simulator-view.tsx';
import { announceIn } from './announce.ts';
import { hold, redraw } from './morph.ts';
import { ask, send, whyNot } from './send.ts';
import { DayPlayer } from './simulated-day.ts';
import { SimulatorQuestion } from './simulator-question.ts';
import { SimulatorButtons } from './simulator-buttons.ts';
import { latestStatus, onStatus } from './stream.ts';

/** Poll interval of the simulated hardware while the page is visible, in milliseconds. */
const readMs = 1_000;

/** Minimum time between two values of a dragged slider, in milliseconds. */
const dragMs = 120;

/** The LED part of a request, from an input's "#rrggbb". */
function ledOf(colour: string, on: boolean): Readonly<Record<string, unknown>> {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => parseInt(colour.slice(start, start + 2), 16));
  return { led: { on, red, green, blue } };
}

/** The request for a touched element; null for any other element. */
function touchOf(element: HTMLElement): Readonly<Record<string, unknown>> | null {
  const value = element instanceof HTMLInputElement ? Number(element.value) : Number(element.dataset['value']);
  const { sim, ofPart = '', colour = '' } = element.dataset;
  if (isScale(sim)) return scaleOf(sim).body(value);
  switch (sim) {
    case 'relay':
      return { relay: Number(ofPart), closed: value === 1 };
    case 'camera':
    case 'microphone':
      return { [sim]: ofPart, set: value === 1 };
    case 'plug':
      return { plug: ofPart, plugged: value === 1 };
    case 'running':
    case 'joined':
      return { zigbee: { [sim]: value === 1 } };
    case 'screen':
      return { screen: { on: value === 1 } };
    case 'led':
      return ledOf(colour, value === 1);
    case 'colour':
      // Picking a colour also turns the LED on.
      return element instanceof HTMLInputElement ? ledOf(element.value, true) : null;
    default:
      return null;
  }
}

/** The simulated panel: drawn from its hardware, operated through the API. */
export class SconceSimulator extends HTMLElement {
  #panel: SimulatedPanel | undefined;
  readonly #question = new SimulatorQuestion(this, (body) => this.#send(body));
  readonly #day = new DayPlayer<DayFrame>(
    // Noon.
    { member: 'frames', still: 144 },
    () => this.#draw(),
    (words) => this.#announce(words),
  );
  readonly #evening = new DayPlayer<EveningFrame>(
    // 20:00.
    { member: 'evening', still: 120 },
    () => this.#draw(),
    (words) => this.#announce(words),
  );
  readonly #drags = new Map<string, number>();

  connectedCallback(): void {
    onStatus(() => this.#draw());
    this.#question.start();
    new SimulatorButtons(this, (body) => this.#send(body)).start();
    this.addEventListener('click', (event) => {
      const touched = event.target instanceof Element ? event.target.closest<HTMLElement>('button[data-sim]') : null;
      const player = this.#playerOf(touched?.dataset['sim']);
      if (player !== null) player.press(touched?.dataset['value']);
      else if (touched !== null) void this.#touch(touched);
    });
    this.addEventListener('input', (event) => {
      const slider = event.target;
      if (!(slider instanceof HTMLInputElement)) return;
      const name = slider.dataset['sim'];
      if (name === undefined) return;
      const player = this.#playerOf(name.replace(/-at$/, ''));
      if (player !== null) {
        player.stepTo(Number(slider.value));
        return;
      }
      hold(slider);
      if (isScale(name))
        announceIn(this.querySelector(`[data-of="${slider.id}"]`), scaleOf(name).words(Number(slider.value)));
      if (this.#drags.has(name)) return;
      const timer = window.setTimeout(() => {
        this.#drags.delete(name);
        void this.#touch(slider);
      }, dragMs);
      this.#drags.set(name, timer);
    });
    void this.#read();
    window.setInterval(() => {
      if (!document.hidden) void this.#read();
    }, readMs);
  }

  /** The player of a card; what the other one shows is over then. */
  #playerOf(name: string | undefined): DayPlayer<DayFrame> | DayPlayer<EveningFrame> | null {
    if (name !== 'day' && name !== 'evening') return null;
    (name === 'day' ? this.#evening : this.#day).end();
    return name === 'day' ? this.#day : this.#evening;
  }

  async #touch(element: HTMLElement): Promise<void> {
    const body = touchOf(element);
    if (body === null) return;
    // What a hand does is seen at once.
    this.#day.end();
    this.#evening.end();
    await this.#send(body);
  }

  async #send(body: Readonly<Record<string, unknown>>): Promise<void> {
    // Kept alive, so that a held button is released when the page is left.
    const sent = await send('/api/v1/simulator', body, { keepalive: true });
    this.#announce(sent.ok ? '' : whyNot(sent));
    await this.#read();
  }

  #announce(words: string): void {
    announceIn(this.querySelector('[data-said]'), words);
  }

  async #read(): Promise<void> {
    const [answer] = await Promise.all([ask('/api/v1/simulator'), this.#question.read()]);
    // The route's schema guarantees this type.
    if (answer.ok) this.#take(answer.body as unknown as SimulatedPanel);
  }

  #take(panel: SimulatedPanel): void {
    this.#panel = panel;
    this.#draw();
  }

  #draw(): void {
    const status = latestStatus();
    if (status === undefined || this.#panel === undefined) return;
    const { asking } = this.#question;
    const view = {
      status,
      panel: this.#panel,
      now: Date.now(),
      asking,
      day: this.#day.shown,
      evening: this.#evening.shown,
    };
    redraw(this, String(SimulatorView(view)));
  }
}
