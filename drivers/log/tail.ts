import { randomBytes } from 'node:crypto';

import type { LogLine, LogLineLevel, LogPage, LogReader } from '#machines/logs/events.ts';

import { factWords } from './human-line.ts';

/** Longest line that is kept whole, in characters; of a longer one the words are kept without the facts. */
const LONGEST_LINE = 8192;
/** Longest words and facts that a viewer gets, in characters each. */
const LONGEST_TEXT = 2000;

/** The newest lines of the log, in memory. */
export interface LogTail extends LogReader {
  /** Keeps one finished line of JSON; the oldest gives way. */
  readonly keep: (line: string) => void;
  /** Calls back after each line; returns how to stop that. */
  readonly onMove: (moved: () => void) => () => void;
}

/** What a tail is made of. */
export interface LogTailOptions {
  /** Lines kept. */
  readonly lines: number;
  /** Takes the protected values out of a text. */
  readonly scrub: (text: string) => string;
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (line: string): Fields => {
  try {
    // The log itself wrote the line: one JSON object.
    return JSON.parse(line) as Fields;
  } catch {
    return { msg: line };
  }
};

const wordOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const levels: readonly LogLineLevel[] = ['trace', 'debug', 'info', 'warn', 'error'];
const levelOf = (value: unknown): LogLineLevel => levels.find((level) => level === value) ?? 'error';

const shortened = (text: string): string => (text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text);

const lineOf = (seq: number, fields: Fields): LogLine => ({
  seq,
  at: typeof fields['time'] === 'number' ? fields['time'] : 0,
  level: levelOf(fields['level']),
  part: shortened(wordOf(fields['part'])),
  text: shortened(wordOf(fields['msg'])),
  facts: shortened(factWords(fields)),
});

const bounded = (line: string): string => {
  if (line.length <= LONGEST_LINE) return line;
  const { time, level, part, msg } = fieldsOf(line);
  return JSON.stringify({ level, time, part: shortened(wordOf(part)), msg: shortened(wordOf(msg)) });
};

/** Makes an empty tail. */
export const createLogTail = ({ lines, scrub }: LogTailOptions): LogTail => {
  const kept: string[] = [];
  const listeners = new Set<() => void>();
  let newest = 0;
  return {
    run: randomBytes(4).toString('hex'),
    capacity: lines,
    newest: () => newest,
    keep: (line) => {
      newest += 1;
      kept.push(bounded(line));
      if (kept.length > lines) kept.shift();
      for (const moved of listeners) moved();
    },
    after: (seq, limit): LogPage => {
      const before = newest - kept.length;
      const from = Math.max(before, Math.min(seq, newest));
      // Scrubbed again: a value may have become known as a secret after its line was kept.
      const page = kept
        .slice(from - before, from - before + limit)
        .map((line, index) => lineOf(from + index + 1, fieldsOf(scrub(line))));
      return { lines: page, missed: Math.max(0, before - seq) };
    },
    onMove: (moved) => {
      listeners.add(moved);
      return () => listeners.delete(moved);
    },
  };
};
