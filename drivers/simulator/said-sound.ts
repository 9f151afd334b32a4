import type { Milliseconds } from '#machines/kit/units.ts';

/** Bytes per second of what is said: s16le mono at 16 kHz. */
export const SAID_BYTES_PER_S = 32_000;
/** Most that waits to be heard, in seconds; the oldest goes first. */
export const LONGEST_SAID_S = 60;
/**
 * What is not heard for this long after it would have ended is forgotten: long enough to say something and then press
 * the button.
 */
const UNHEARD_MS: Milliseconds = 10_000;

/** The microphone of the simulated panel, as its ear needs it. */
export interface OpenMicrophone {
  readonly plugged: boolean;
  /** False if this user may not open it. */
  readonly permitted: boolean;
  /** It delivers zeros; what is said meanwhile is lost. */
  readonly muted: boolean;
  /** It delivers nothing, although it is open. */
  readonly stalled: boolean;
  /** Another program holds it, so it cannot be opened. */
  readonly jammed: boolean;
  /** Takes the next samples that were said (s16le mono, 16 kHz), at most so many bytes; none if nothing is said. */
  readonly take: (bytes: number) => Uint8Array;
}

interface Saying {
  readonly pcm: Uint8Array;
  readonly until: Milliseconds;
}

/** What was said to the simulated microphone and not heard yet, in memory only. */
export class SaidSound {
  readonly #elapsed: () => Milliseconds;
  #waiting: readonly Saying[] = [];

  constructor(elapsed: () => Milliseconds = () => performance.now()) {
    this.#elapsed = elapsed;
  }

  /** Adds whole samples; an odd last byte is left out. */
  add(pcm: Uint8Array): void {
    const whole = pcm.subarray(0, pcm.length - (pcm.length % 2));
    const lasts = ((this.#bytes() + whole.length) * 1000) / SAID_BYTES_PER_S;
    this.#waiting = [...this.#waiting, { pcm: whole, until: this.#elapsed() + lasts + UNHEARD_MS }];
    while (this.#bytes() > LONGEST_SAID_S * SAID_BYTES_PER_S && this.#waiting.length > 1)
      this.#waiting = this.#waiting.slice(1);
  }

  /** Takes the next samples, at most so many bytes, even. */
  take(bytes: number): Uint8Array {
    const taken: Uint8Array[] = [];
    let missing = bytes - (bytes % 2);
    const now = this.#elapsed();
    const rest: Saying[] = [];
    for (const { pcm, until } of this.#waiting) {
      if (now > until) continue;
      const part = pcm.subarray(0, missing);
      missing -= part.length;
      if (part.length > 0) taken.push(part);
      if (part.length < pcm.length) rest.push({ pcm: pcm.subarray(part.length), until });
    }
    this.#waiting = rest;
    return Buffer.concat(taken);
  }

  #bytes(): number {
    return this.#waiting.reduce((sum, { pcm }) => sum + pcm.length, 0);
  }
}
