import type { EpochMs } from '../kit/units.ts';

/** Severity of a line, lowest first; `fatal` is the line after which the agent ends by itself. */
export type LogLineLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';

/** One line of the agent's log as a viewer gets it: redacted, and bounded in length. */
export interface LogLine {
  /** Incremented with each line of this run, from 1. */
  readonly seq: number;
  readonly at: EpochMs;
  readonly level: LogLineLevel;
  /** Name of the part that wrote it; '' for the agent itself. */
  readonly part: string;
  /** The event in words. */
  readonly text: string;
  /** The facts beside the words as `name=value`, separated by spaces and without nulls; '' for none. */
  readonly facts: string;
}

/** Consecutive lines, and how many lines before them were lost to a slow reader. */
export interface LogPage {
  readonly lines: readonly LogLine[];
  readonly missed: number;
}

/**
 * How a run of the agent ended, judged by its records: in order, by its own failure, without notice while the machine
 * continued, or together with the machine.
 */
export const runEnds = ['stopped', 'crashed', 'killed', 'power'] as const;
export type RunEnd = (typeof runEnds)[number];

/** The start of a run of the agent. */
export interface RunStart {
  readonly at: EpochMs;
  /** How the previous run ended; null if unknown, or if there was none. */
  readonly before: RunEnd | null;
}

/** One entry of the kept log, which covers several runs. */
export type StoredEntry =
  | ({ readonly kind: 'line' } & Omit<LogLine, 'seq'>)
  | ({ readonly kind: 'started' } & RunStart)
  /** This many lines arrived too fast to be kept. */
  | { readonly kind: 'left_out'; readonly at: EpochMs; readonly count: number };

/** Reads the newest lines of the log from a position; a reader slower than the log loses the oldest. */
export interface LogReader {
  /** Eight hex digits of this run of the agent; positions are only valid within it. */
  readonly run: string;
  /** Most lines of this run that are kept, and so how far a reader may fall behind. */
  readonly capacity: number;
  /** Position of the newest line; 0 before the first. */
  readonly newest: () => number;
  /** At most `limit` lines after position `seq`, oldest first. */
  readonly after: (seq: number, limit: number) => LogPage;
  /** The start of this run; how the previous one ended is known once the kept files were read. */
  readonly start: () => RunStart;
  /**
   * The kept entries, redacted, oldest first: those of earlier runs from the disk, then this run. The newest `most`
   * entries; without `most` all of them, at most 2,000 of 512 kB.
   */
  readonly kept: (most?: number) => readonly StoredEntry[];
}

/** Reported by the driver that reads the newest lines, at most ten times a second. */
export type LiveLogFact = { readonly type: 'log.moved'; readonly newest: number };

export type LogsEvent = { readonly type: 'logs.viewer-joined' } | { readonly type: 'logs.viewer-left' } | LiveLogFact;

/** Facts of the live log; the lines themselves are neither events nor facts. */
export interface LiveLogContext {
  /** Position of the newest reported line. */
  readonly revision: number;
  readonly viewers: number;
}

/** Most concurrent live viewers of the log; one more is refused with 429. */
export const maxLogViewers = 8;

export interface LiveLogActor {
  readonly id: 'live-log';
  readonly context: LiveLogContext;
  readonly event: Exclude<LogsEvent, LiveLogFact>;
}
