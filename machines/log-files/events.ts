import type { EventObject } from 'xstate';

import type { Milliseconds, EpochMs } from '../kit/units.ts';
import type { StoredEntry, LogLine, LogLineLevel, RunEnd } from '../live-log/events.ts';

/** What is left of the bytes that may be written, and what could not be. */
export interface LogAllowance {
  /** Bytes that may be written now. */
  readonly bytes: number;
  /** When that was so, on the clock of this process. */
  readonly at: Milliseconds;
  /** Lines that were left out and are not told of yet. */
  readonly leftOut: number;
}

/** What of some lines is written. */
export interface LogBatch {
  /** Whole records, each with its line break; '' for nothing. */
  readonly text: string;
  /** How many records these are. */
  readonly records: number;
  readonly allowance: LogAllowance;
}

/** How full a file of the log is. */
export interface LogFileSize {
  readonly bytes: number;
  readonly lines: number;
}

/** What earlier runs left behind. */
export interface LogRecall {
  /** The oldest first. */
  readonly entries: readonly StoredEntry[];
  /** How the last of them ended; null where there was none. */
  readonly before: RunEnd | null;
}

/** Where a run began, and on which start of the machine. */
export interface LogRun {
  /** Eight hex digits. */
  readonly run: string;
  readonly at: EpochMs;
  /** Eight hex digits that change with each start of the machine; null where that is not known. */
  readonly boot: string | null;
}

/** What decides for the driver that keeps the log on the disk. */
export interface LogFileRules {
  /** Most bytes of one of the two files. */
  readonly fileBytes: number;
  /** How long a line may wait in memory; `sinceMs` is how long ago the last write was. */
  readonly waitFor: (level: LogLineLevel, sinceMs: Milliseconds) => Milliseconds;
  /** Whether a line matters enough to be on the disk itself at once. */
  readonly isUrgent: (level: LogLineLevel) => boolean;
  /** Whether a batch of that size begins a new file. */
  readonly rotates: (file: LogFileSize, batch: LogFileSize) => boolean;
  /** Pause after a write that the disk refused. */
  readonly retryMs: Milliseconds;
  /** What may be written at the start. */
  readonly begin: (at: Milliseconds) => LogAllowance;
  /** What of the next lines is written; `missed` lines before them are gone already. */
  readonly batch: (
    run: string,
    lines: readonly LogLine[],
    missed: number,
    allowance: LogAllowance,
    at: Milliseconds,
  ) => LogBatch;
  /** The record of a start. */
  readonly startText: (run: LogRun) => string;
  /** The record of an end, after what of the lines was left out. */
  readonly endText: (run: string, at: EpochMs, end: 'stopped' | 'crashed', leftOut: number) => string;
  /** What the texts of the files, the older one first, hold for a run on that start of the machine. */
  readonly recall: (texts: readonly string[], boot: string | null) => LogRecall;
}

/** What the driver that keeps the log reports: a change of why the disk refuses it, null while it does not. */
export type LogFilesFact = { readonly type: 'log-files.told'; readonly failure: string | null };

/** What may be told to the driver: nothing. */
export type LogFilesCommand = EventObject;

export type LogFilesEvent = LogFilesFact;

/** Facts of the kept log. */
export interface LogFilesContext {
  /** POSIX name of why the log cannot be written to the disk; null while it can. */
  readonly failure: string | null;
}

/** What the actor of the kept log shows to the rest of the house. */
export interface LogFilesActor {
  readonly id: 'log-files';
  readonly context: LogFilesContext;
  readonly event: never;
}
