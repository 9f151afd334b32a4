import type { NewHistoryEntry } from '../kit/history-event.ts';
import type { EpochMs } from '../kit/units.ts';

export type { NewHistoryEntry } from '../kit/history-event.ts';

/** Something that happened, as it is recorded. */
export interface HistoryEntry extends NewHistoryEntry {
  /** How often it happened, where repetitions are gathered; `at` is the last time. */
  readonly times: number;
}

/** What the machine tells the driver of the stored record. */
export type RecordCommand =
  /** Keep these, soon; at most one write each three seconds. */
  | { readonly type: 'record.keep'; readonly entries: readonly HistoryEntry[] }
  /** Write what is not kept yet, then say `record.closed`. */
  | { readonly type: 'record.close' };

/** What the driver of the stored record reports. */
export type RecordFact =
  /** What earlier runs left behind, the oldest first. */
  { readonly type: 'record.recalled'; readonly entries: readonly HistoryEntry[] } | { readonly type: 'record.closed' };

/** What the recorder, which follows the other parts, reports. */
export type RecorderFact = { readonly type: 'history.happened' } & NewHistoryEntry;

export type HistoryEvent = RecorderFact | RecordFact | { readonly type: 'history.stop' };

/** Facts of the history. */
export interface HistoryContext {
  /** The oldest first. */
  readonly entries: readonly HistoryEntry[];
  /** Whether what earlier runs left behind is among them. */
  readonly recalled: boolean;
  /** When this run of the agent began. */
  readonly startedAt: EpochMs;
}

/** Most entries that are kept. */
export const mostEntries = 500;

/** What the actor of the history shows to the rest of the house. */
export interface HistoryActor {
  readonly id: 'history';
  readonly context: HistoryContext;
  readonly event: Extract<HistoryEvent, { readonly type: 'history.happened' | 'history.stop' }>;
}
