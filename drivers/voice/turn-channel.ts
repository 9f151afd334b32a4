import type { Milliseconds } from '#machines/kit/units.ts';

/** What was said and what is answered, for the screen alone; each at most 500 characters, or it is cut. */
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
  /**
   * The ear begins a turn. `overdue` is called once if a sample was not taken for 2 s, or too many wait; then nothing
   * of the turn is kept. What was taken and does not leave the panel is for the connection to notice.
   */
  readonly begin: (turn: number, overdue: () => void) => void;
  /** The ear adds samples; those of another turn are dropped. */
  readonly write: (turn: number, pcm: Buffer) => void;
  /** The ear ends the speech. */
  readonly finish: (turn: number) => void;
  /** The ear drops the turn: what was not taken is gone, and the sink gets nothing more. */
  readonly drop: (turn: number) => void;
  /** The connection takes what was collected, and everything that follows; the returned function lets it go. */
  readonly attach: (turn: number, sink: TurnSink) => () => void;
  /**
   * The connection reports words; null for none clears the screen. The connection says null when a turn fails, is
   * cancelled or replaced; after any other turn the screen does, once the turn has ended.
   */
  readonly say: (words: TurnWords | null) => void;
  /**
   * The screen takes the words, at once and with each change; the returned function lets it go. Without a screen that
   * takes them, words are not kept.
   */
  readonly onWords: (listener: (words: TurnWords | null) => void) => () => void;
}

/** Longest time that a sample waits. */
export const OVERDUE_MS: Milliseconds = 2000;
/** Most sound that waits, in bytes: 8 s. */
const WAITING_BYTES = 256_000;
/** Longest text of a person or of an answer, in UTF-16 units. */
const WORDS_LENGTH = 500;

/** The sound of the turn that the ear records. */
interface Sound {
  readonly turn: number;
  readonly overdue: () => void;
  waiting: Buffer[];
  bytes: number;
  /** When the oldest sample that waits was written; null if none waits. */
  since: Milliseconds | null;
  isFinished: boolean;
}

/** At most 500 units; no half of a character is left at the end. */
const cut = (text: string | null): string | null =>
  text === null ? null : text.slice(0, WORDS_LENGTH).replace(/[\uD800-\uDBFF]$/, '');

/** The channel, made once; `elapsed` is the monotonic clock. */
export function createTurnChannel(elapsed: () => Milliseconds): TurnChannel {
  let sound: Sound | null = null;
  let taker: { readonly turn: number; readonly sink: TurnSink } | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let words: TurnWords | null = null;
  const listeners = new Set<(words: TurnWords | null) => void>();

  const forget = (): void => {
    clearTimeout(timer);
    sound = null;
  };
  const giveUp = (late: Sound): void => {
    forget();
    late.overdue();
  };
  /** A timer may be early by a millisecond. */
  const check = (late: Sound, since: Milliseconds): void => {
    const left = OVERDUE_MS - (elapsed() - since);
    if (left <= 0) return giveUp(late);
    timer = setTimeout(() => check(late, since), left);
    timer.unref();
  };
  /** Hands over what waits, if there is a sink of this turn. */
  const pass = (): void => {
    if (sound === null || taker?.turn !== sound.turn) return;
    const { sink } = taker;
    const { waiting, isFinished } = sound;
    clearTimeout(timer);
    sound.waiting = [];
    sound.bytes = 0;
    sound.since = null;
    if (isFinished) sound = null;
    for (const pcm of waiting) sink.samples(pcm);
    if (isFinished) sink.end();
  };

  return {
    begin: (turn, overdue) => {
      forget();
      sound = { turn, overdue, waiting: [], bytes: 0, since: null, isFinished: false };
    },
    write: (turn, pcm) => {
      if (sound?.turn !== turn || sound.isFinished) return;
      sound.waiting.push(pcm);
      sound.bytes += pcm.length;
      if (taker?.turn === turn) return pass();
      if (sound.bytes > WAITING_BYTES) return giveUp(sound);
      if (sound.since !== null) return;
      sound.since = elapsed();
      check(sound, sound.since);
    },
    finish: (turn) => {
      if (sound?.turn !== turn) return;
      sound.isFinished = true;
      pass();
    },
    drop: (turn) => {
      if (sound?.turn === turn) forget();
    },
    attach: (turn, sink) => {
      const mine = { turn, sink };
      taker = mine;
      pass();
      return () => {
        if (taker === mine) taker = null;
      };
    },
    say: (said) => {
      words =
        said === null || listeners.size === 0 ? null : { ...said, heard: cut(said.heard), answer: cut(said.answer) };
      for (const listener of listeners) listener(words);
    },
    onWords: (listener) => {
      listeners.add(listener);
      listener(words);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) words = null;
      };
    },
  };
}
