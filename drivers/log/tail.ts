import { randomBytes } from 'node:crypto';

import type {
  StoredEntry,
  LogLine,
  LogLineLevel,
  LogPage,
  LogReader,
  RunEnd,
  RunStart,
} from '#machines/live-log/events.ts';
import type { LogRecall } from '#machines/log-files/events.ts';

import { factWords } from './human-line.ts';

/** Longest line kept whole, in characters; a longer one keeps its message without the facts. */
const LONGEST_LINE = 8192;
/** Longest message and facts that a viewer gets, in characters each. */
const LONGEST_TEXT = 2000;
/** Most characters of all lines together: as many as the disk keeps bytes of the log. */
const MOST_CHARACTERS = 512 * 1024;

export interface LogTail extends LogReader {
  /** Keeps one finished line of JSON; the oldest is dropped. */
  readonly keep: (line: string) => void;
  /** Calls back after each line with its level; returns the function that stops it. */
  readonly onMove: (moved: (level: LogLineLevel) => void) => () => void;
  /** Adds what earlier runs left on the disk. */
  readonly recall: (past: LogRecall) => void;
}

export interface LogTailOptions {
  /** Most lines kept. */
  readonly lines: number;
  /** Removes protected values from a text. */
  readonly scrub: (text: string) => string;
  /** Start of this run, in milliseconds since the Unix epoch; now by default. */
  readonly startedAt?: number;
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(line: string): Fields {
  try {
    // The log wrote the line as one JSON object.
    return JSON.parse(line) as Fields;
  } catch {
    return { msg: line };
  }
}

const wordOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const levels: readonly LogLineLevel[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];
const levelOf = (value: unknown): LogLineLevel => levels.find((level) => level === value) ?? 'error';
/** Beginning of each line of the log; gives its level without parsing the line. */
const LEVEL = /^\{"level":"(\w+)"/;

const shortened = (text: string): string => (text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text);

const lineOf = (seq: number, fields: Fields): LogLine => ({
  seq,
  at: typeof fields['time'] === 'number' ? fields['time'] : 0,
  level: levelOf(fields['level']),
  part: shortened(wordOf(fields['part'])),
  text: shortened(wordOf(fields['msg'])),
  facts: shortened(factWords(fields)),
});

function bounded(line: string): string {
  if (line.length <= LONGEST_LINE) return line;
  const { time, level, part, msg } = fieldsOf(line);
  return JSON.stringify({ level, time, part: shortened(wordOf(part)), msg: shortened(wordOf(msg)) });
}

const entryOf = ({ at, level, part, text, facts }: LogLine): StoredEntry => ({
  kind: 'line',
  at,
  level,
  part,
  text,
  facts,
});

const sizeOf = (entry: StoredEntry): number =>
  entry.kind === 'line' ? entry.text.length + entry.facts.length + entry.part.length : 0;

/** The newest entries within the bounds of the kept log, the oldest first. */
function newestOf(entries: readonly StoredEntry[], most: number): readonly StoredEntry[] {
  let characters = 0;
  const from = entries.findLastIndex((entry) => (characters += sizeOf(entry)) > MOST_CHARACTERS);
  return entries.slice(Math.max(from + 1, entries.length - most));
}

export function createLogTail({ lines, scrub, startedAt = Date.now() }: LogTailOptions): LogTail {
  const kept: string[] = [];
  const listeners = new Set<(level: LogLineLevel) => void>();
  let newest = 0;
  let characters = 0;
  let past: readonly StoredEntry[] = [];
  let before: RunEnd | null = null;

  const start = (): RunStart => ({ at: startedAt, before });
  const after = (seq: number, limit: number): LogPage => {
    const gone = newest - kept.length;
    const from = Math.max(gone, Math.min(seq, newest));
    // Scrubbed again: a value may have become secret after its line was kept.
    const page = kept
      .slice(from - gone, from - gone + limit)
      .map((line, index) => lineOf(from + index + 1, fieldsOf(scrub(line))));
    return { lines: page, missed: Math.max(0, gone - seq) };
  };
  return {
    run: randomBytes(4).toString('hex'),
    capacity: lines,
    newest: () => newest,
    keep: (line) => {
      const own = bounded(line);
      newest += 1;
      characters += own.length;
      kept.push(own);
      while (kept.length > lines || characters > MOST_CHARACTERS) characters -= kept.shift()?.length ?? 0;
      const level = levelOf(LEVEL.exec(own)?.[1]);
      for (const moved of listeners) moved(level);
    },
    after,
    onMove: (moved) => {
      listeners.add(moved);
      return () => listeners.delete(moved);
    },
    recall: (found) => {
      past = found.entries;
      before = found.before;
    },
    start,
    kept: (most = lines) => {
      const scrubbed = past
        .slice(-most)
        .map((entry) =>
          entry.kind === 'line' ? { ...entry, text: scrub(entry.text), facts: scrub(entry.facts) } : entry,
        );
      const own = after(newest - most, most).lines.map(entryOf);
      const gone = newest - kept.length;
      const lost: StoredEntry[] = gone === 0 ? [] : [{ kind: 'left_out', at: own[0]?.at ?? startedAt, count: gone }];
      return newestOf([...scrubbed, { kind: 'started', ...start() }, ...lost, ...own], Math.min(most, lines));
    },
  };
}
