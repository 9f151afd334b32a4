import type { EpochMs } from '../kit/units.ts';

/** What entries can be about. */
export const historyKinds = [
  'agent',
  'part',
  'screen',
  'reboot',
  'broker',
  'platform',
  'dashboard',
  'sign-in',
  'announcement',
  'configuration',
  'profile',
  'storage',
] as const;

/** What an entry is about. */
export type HistoryKind = (typeof historyKinds)[number];

/** Something that happened which an owner asks about later; never an address, a name or a value. */
export interface HistoryEntry {
  readonly at: EpochMs;
  readonly kind: HistoryKind;
  /**
   * Who did it (`home-assistant`, `http`, `touch`, `elsewhere`) or, of `part`, which one it befell; null where nobody
   * did it.
   */
  readonly by: string | null;
  /** What it was: a stable code, or of `configuration` the saved keys with commas between. */
  readonly code: string;
  /** How often it happened, where repetitions are gathered; `at` is the last time. */
  readonly times: number;
}

/** An entry before it is recorded. */
export type Happening = Omit<HistoryEntry, 'times'>;

/** What the machine tells the keeper of the durable record. */
export type RecordCommand =
  /** Keep these, soon; at most one write each three seconds. */
  | { readonly type: 'record.keep'; readonly entries: readonly HistoryEntry[] }
  /** Write what is not kept yet, then say `record.closed`. */
  | { readonly type: 'record.close' };

export type HistoryEvent =
  | ({ readonly type: 'history.happened' } & Happening)
  /** What earlier runs left behind, the oldest first. */
  | { readonly type: 'record.recalled'; readonly entries: readonly HistoryEntry[] }
  | { readonly type: 'record.closed' }
  | { readonly type: 'history.stop' };

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
