import type { DayFrame } from '#machines/simulator/events.ts';
import { type DayOnPage, noDay } from '../parts/simulated-day.tsx';
import { ask } from './send.ts';

/** Length of the played day, in milliseconds. */
const dayMs = 120_000;

/** Noon, which a day that is not played begins with. */
const noon = 144;

/** Plays a generated day on the drawing; the panel itself is not touched. */
export class DayPlayer {
  readonly #draw: () => void;
  readonly #announce: (words: string) => void;
  readonly #still = window.matchMedia('(prefers-reduced-motion: reduce)');
  #day: DayOnPage = noDay;
  #seed = 1;
  #timer: number | undefined;
  /** Counts what was asked for: a late answer is dropped. */
  #turn = 0;

  constructor(draw: () => void, announce: (words: string) => void) {
    this.#draw = draw;
    this.#announce = announce;
  }

  get shown(): DayOnPage {
    return { ...this.#day, isStill: this.#still.matches };
  }

  /** One of the card's buttons. */
  press(what: string | undefined): void {
    if (what === 'end') {
      this.end();
      return;
    }
    if (what === 'next') this.#seed += 1;
    if (what === 'next' || this.#day.frames.length === 0) void this.#load();
    else this.#play(this.#day.at ?? 0);
  }

  /** Shows one frame, by hand. */
  stepTo(at: number): void {
    this.#pause();
    this.#change({ at, isPlaying: false });
  }

  /** Back to the live state. */
  end(): void {
    if (this.#day.at === null && !this.#day.isLoading) return;
    this.#turn += 1;
    this.#pause();
    this.#change({ at: null, isPlaying: false, isLoading: false });
  }

  async #load(): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    this.#pause();
    this.#announce('');
    this.#change({ ...noDay, isLoading: true });
    const answer = await ask(`/api/v1/simulator/day?seed=${this.#seed}`);
    if (turn !== this.#turn) return;
    this.#change({ isLoading: false });
    if (!answer.ok) {
      this.#announce(answer.reason);
      return;
    }
    // The route's schema guarantees this type.
    this.#change({ frames: answer.body['frames'] as readonly DayFrame[] });
    if (this.#still.matches) this.stepTo(noon);
    else this.#play(0);
  }

  #play(from: number): void {
    this.#pause();
    const { length } = this.#day.frames;
    const startedAt = performance.now() - (from / length) * dayMs;
    this.#change({ at: from, isPlaying: true });
    this.#timer = window.setInterval(() => {
      const at = Math.floor(((performance.now() - startedAt) / dayMs) * length);
      if (at >= length) this.end();
      else if (at !== this.#day.at) this.#change({ at });
    }, dayMs / length);
  }

  #pause(): void {
    window.clearInterval(this.#timer);
  }

  #change(change: Partial<DayOnPage>): void {
    this.#day = { ...this.#day, ...change };
    this.#draw();
  }
}
