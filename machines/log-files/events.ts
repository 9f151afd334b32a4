import type { EventObject } from 'xstate';

import type { Milliseconds, EpochMs } from '../kit/units.ts';
import type { StoredEntry, LogLine, LogLineLevel, RunEnd } from '../live-log/events.ts';

/** How many bytes may still be written, and how many lines were left out. */
export interface LogAllowance {
  /** Bytes that may be written now. */
  readonly bytes: number;
  /** When that was computed, on the monotonic clock of this process. */
  readonly at: Milliseconds;
  /** Lines that were left out and not reported yet. */
  readonly leftOut: number;
}

/** The part of some lines that is written. */
export interface LogBatch {
  /** Whole records, each with its line break; '' for nothing. */
  readonly text: string;
  /** Number of records in `text`. */
  readonly records: number;
  readonly allowance: LogAllowance;
}

/** Size of a log file. */
export interface LogFileSize {
  readonly bytes: number;
  readonly lines: number;
}

/** Log entries of earlier runs. */
export interface LogRecall {
  /** Oldest first. */
  readonly entries: readonly StoredEntry[];
  /** How the last run ended; null if there was none. */
  readonly before: RunEnd | null;
}

/** Start of a run, and the boot of the machine it belongs to. */
export interface LogRun {
  /** Eight hex digits. */
  readonly run: string;
  readonly at: EpochMs;
  /** Eight hex digits that change with each boot of the machine; null if unknown. */
  readonly boot: string | null;
}

/** Decisions for the driver that keeps the log on the disk. */
export interface LogFileRules {
  /** Most bytes of one of the two files. */
  readonly fileBytes: number;
  /** How long a line may wait in memory; `sinceMs` is the time since the last write. */
  readonly waitFor: (level: LogLineLevel, sinceMs: Milliseconds) => Milliseconds;
  /** True if a line must be flushed to the disk at once. */
  readonly isUrgent: (level: LogLineLevel) => boolean;
  /** True if a batch of that size begins a new file. */
  readonly rotates: (file: LogFileSize, batch: LogFileSize) => boolean;
  /** Pause after a write that the disk refused. */
  readonly retryMs: Milliseconds;
  /** The allowance at the start. */
  readonly begin: (at: Milliseconds) => LogAllowance;
  /** Selects what to write of the next lines; `missed` lines before them are already lost. */
  readonly batch: (
    run: string,
    lines: readonly LogLine[],
    missed: number,
    allowance: LogAllowance,
    at: Milliseconds,
  ) => LogBatch;
  /** The record of a start. */
  readonly startText: (run: LogRun) => string;
  /** The record of an end, after the record of left-out lines, if any. */
  readonly endText: (run: string, at: EpochMs, end: 'stopped' | 'crashed', leftOut: number) => string;
  /** Reads the texts of the files, older one first, for a run on that boot of the machine. */
  readonly recall: (texts: readonly string[], boot: string | null) => LogRecall;
}

/** Reported by the driver that keeps the log: a change of the reason why the disk refuses; null while it does not. */
export type LogFilesFact = { readonly type: 'log-files.told'; readonly failure: string | null };

/** The driver takes no commands. */
export type LogFilesCommand = EventObject;

export type LogFilesEvent = LogFilesFact;

/** Facts of the log on the disk. */
export interface LogFilesContext {
  /** POSIX name of the error that keeps the log from being written to the disk; null while it can be. */
  readonly failure: string | null;
}

export interface LogFilesActor {
  readonly id: 'log-files';
  readonly context: LogFilesContext;
  readonly event: never;
}
