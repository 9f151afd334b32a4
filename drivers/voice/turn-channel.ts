import type { Milliseconds } from '#machines/kit/units.ts';

/** What was said and what is answered, for the screen alone; each at most 500 characters. */
export interface TurnWords {
  readonly turn: number;
  readonly heard: string | null;
  readonly answer: string | null;
}

/** Takes the sound of a turn; made by the connection to Home Assistant. */
export interface TurnSink {
  /** s16le mono samples at 16 kHz. */
  readonly samples: (pcm: Buffer) => void;
  /** The speech is over: no more samples follow. */
  readonly end: () => void;
}

/**
 * Joins the drivers of one turn without events: samples from the ear to the connection, words from the connection to
 * the screen. One object, made in `bin/parts`; a later turn replaces the earlier one.
 */
export interface TurnChannel {
  /** The ear begins a turn. `overdue` is called once if a sample was not taken and sent for 2 s. */
  readonly begin: (turn: number, overdue: () => void) => void;
  /** The ear adds samples; those of another turn are dropped. */
  readonly write: (turn: number, pcm: Buffer) => void;
  /** The ear ends the speech. */
  readonly finish: (turn: number) => void;
  /** The ear drops the turn: what was not taken is gone, and the sink hears nothing more. */
  readonly drop: (turn: number) => void;
  /** The connection takes what was collected, and everything that follows; the returned function lets it go. */
  readonly attach: (turn: number, sink: TurnSink) => () => void;
  /** The connection reports words; null for none clears the screen. */
  readonly say: (words: TurnWords | null) => void;
  /** The screen takes the words, at once and with each change; the returned function lets it go. */
  readonly onWords: (listener: (words: TurnWords | null) => void) => () => void;
}

/** Longest time that a sample waits. */
export const OVERDUE_MS: Milliseconds = 2000;
