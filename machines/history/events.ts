import type { NewHistoryEntry } from '../kit/history-event.ts';
import type { EpochMs } from '../kit/units.ts';

export type { NewHistoryEntry } from '../kit/history-event.ts';

/** A recorded history event. */
export interface HistoryEntry extends NewHistoryEntry {
  /** How often it happened, if repetitions are merged; `at` is the last time. */
  readonly times: number;
}

/** Commands of the driver of the stored record. */
export type RecordCommand =
  /** Store these soon; at most one write every three seconds. */
  | { readonly type: 'record.keep'; readonly entries: readonly HistoryEntry[] }
  /** Write what is pending, then report `record.closed`. */
  | { readonly type: 'record.close' };

/** Reported by the driver of the stored record. */
export type RecordFact =
  /** Entries of earlier runs, oldest first. */
  { readonly type: 'record.recalled'; readonly entries: readonly HistoryEntry[] } | { readonly type: 'record.closed' };

/** Reported by the recorder, which follows the other parts. */
export type RecorderFact = { readonly type: 'history.happened' } & NewHistoryEntry;

export type HistoryEvent = RecorderFact | RecordFact | { readonly type: 'history.stop' };

/** Facts of the history. */
export interface HistoryContext {
  /** Oldest first. */
  readonly entries: readonly HistoryEntry[];
  /** True once the entries of earlier runs are included. */
  readonly recalled: boolean;
  /** When this run of the agent began. */
  readonly startedAt: EpochMs;
}

/** Most entries that are kept. */
export const mostEntries = 500;

export interface HistoryActor {
  readonly id: 'history';
  readonly context: HistoryContext;
  readonly event: Extract<HistoryEvent, { readonly type: 'history.happened' | 'history.stop' }>;
}
