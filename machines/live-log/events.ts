import type { EpochMs } from '../kit/units.ts';

/** How much a line matters, the least first; `fatal` is the line after which the agent ends by itself. */
export type LogLineLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';

/** One line of the agent's log as a viewer gets it: redacted, and bounded in length. */
export interface LogLine {
  /** Raised by one with each line of this run, from 1. */
  readonly seq: number;
  readonly at: EpochMs;
  readonly level: LogLineLevel;
  /** Name of the part that wrote it; '' for the agent itself. */
  readonly part: string;
  /** What happened in words. */
  readonly text: string;
  /** The facts beside the words, as `name=value` with spaces between, without those that are null; '' for none. */
  readonly facts: string;
}

/** Some lines in order, and how many before them a reader came too late for. */
export interface LogPage {
  readonly lines: readonly LogLine[];
  readonly missed: number;
}

/**
 * How a run of the agent ended, by what it left behind: in order, by a failure of its own, without a word while the
 * machine went on, or together with the machine.
 */
export const runEnds = ['stopped', 'crashed', 'killed', 'power'] as const;
export type RunEnd = (typeof runEnds)[number];

/** Where a run of the agent began. */
export interface RunStart {
  readonly at: EpochMs;
  /** How the run before it ended; null where that is not known, or there was none. */
  readonly before: RunEnd | null;
}

/** One entry of the kept log, which goes over several runs. */
export type StoredEntry =
  | ({ readonly kind: 'line' } & Omit<LogLine, 'seq'>)
  | ({ readonly kind: 'started' } & RunStart)
  /** So many lines came too fast to be kept. */
  | { readonly kind: 'left_out'; readonly at: EpochMs; readonly count: number };

/** The newest lines of the log, to be read from a position; whoever reads slower than lines come loses the oldest. */
export interface LogReader {
  /** Eight hex digits of this run of the agent: positions of another run mean nothing. */
  readonly run: string;
  /** Most lines of this run that are kept, which is how far a reader may be behind. */
  readonly capacity: number;
  /** Position of the newest line; 0 before the first. */
  readonly newest: () => number;
  /** At most `limit` lines after position `seq`, the oldest first. */
  readonly after: (seq: number, limit: number) => LogPage;
  /** Where this run began; how the one before ended is known once the kept files were read. */
  readonly start: () => RunStart;
  /**
   * What is kept, redacted, the oldest first: what earlier runs left on the disk, then this run. The newest `most`
   * entries; all of them, at most 2,000 of 512 kB, where it is left out.
   */
  readonly kept: (most?: number) => readonly StoredEntry[];
}

/** What the driver that reads the newest lines reports, at most ten times a second. */
export type LiveLogFact = { readonly type: 'log.moved'; readonly newest: number };

export type LogsEvent = { readonly type: 'logs.viewer-joined' } | { readonly type: 'logs.viewer-left' } | LiveLogFact;

/** Facts of the live log; the lines themselves are no events and no facts. */
export interface LiveLogContext {
  /** Position of the newest line that was reported. */
  readonly revision: number;
  readonly viewers: number;
}

/** Most live viewers of the log at a time; one more is refused with 429. */
export const maxLogViewers = 8;

/** What the actor of the live log shows to the rest of the house. */
export interface LiveLogActor {
  readonly id: 'live-log';
  readonly context: LiveLogContext;
  readonly event: Exclude<LogsEvent, LiveLogFact>;
}
