import { noneIsPlayed, type Played } from '../parts/simulated-day.tsx';
import { ask } from './send.ts';

/** Length of what is played, in milliseconds. */
const dayMs = 120_000;

/** What of the generated day is played. */
interface Choice {
  /** Member of the answer with its frames. */
  readonly member: 'frames' | 'evening';
  /** The frame that is shown first if nothing moves. */
  readonly still: number;
}

/** Plays a generated day, or its evening, on the drawing; the panel itself is not touched. */
export class DayPlayer<F> {
  readonly #choice: Choice;
  readonly #draw: () => void;
  readonly #announce: (words: string) => void;
  readonly #still = window.matchMedia('(prefers-reduced-motion: reduce)');
  #day: Played<F> = noneIsPlayed;
  #seed = 1;
  #timer: number | undefined;
  /** Counts what was asked for: a late answer is dropped. */
  #turn = 0;

  constructor(choice: Choice, draw: () => void, announce: (words: string) => void) {
    this.#choice = choice;
    this.#draw = draw;
    this.#announce = announce;
  }

  get shown(): Played<F> {
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
    this.#change({ ...noneIsPlayed, isLoading: true });
    const answer = await ask(`/api/v1/simulator/day?seed=${this.#seed}`);
    if (turn !== this.#turn) return;
    this.#change({ isLoading: false });
    if (!answer.ok) {
      this.#announce(answer.reason);
      return;
    }
    // The route's schema guarantees this type.
    this.#change({ frames: answer.body[this.#choice.member] as readonly F[] });
    if (this.#still.matches) this.stepTo(this.#choice.still);
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

  #change(change: Partial<Played<F>>): void {
    this.#day = { ...this.#day, ...change };
    this.#draw();
  }
}
