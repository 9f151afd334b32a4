import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { JobResult, RunningJob } from '../maintenance/events.ts';
import type { WithdrawOutcome } from '../publisher/events.ts';

/** What a reset removes: the connection to Home Assistant, the settings, or everything. */
export const resetScopes = ['connection', 'settings', 'everything'] as const;

export type ResetScope = (typeof resetScopes)[number];

export interface ResetOrder {
  readonly scope: ResetScope;
  /** Who requested it, as in the history. */
  readonly by: string;
  readonly at: EpochMs;
  /** Discovery topics that could not be emptied. */
  readonly leftBehind: number;
}

/** The stored record of a reset: `ordered` until a start has carried it out. */
export interface ResetRecord extends ResetOrder {
  readonly state: 'ordered' | 'done';
}

/** Why Home Assistant still has entities of the panel. `absent`: the publisher does not run. */
export type LeftReason = Extract<WithdrawOutcome, { readonly status: 'left' }>['reason'] | 'absent';

/** The result of withdrawing the entities. */
export type Withdrawal =
  | Exclude<WithdrawOutcome, { readonly status: 'left' }>
  | {
      readonly status: 'left';
      readonly reason: LeftReason;
      readonly entities: number;
      readonly topics: readonly string[];
    };

/** The answer to a reset request. */
export type ResetOutcome =
  /** The order is stored; the agent restarts and carries it out. */
  | {
      readonly status: 'ordered';
      /** Entities that were withdrawn from Home Assistant. */
      readonly entities: number;
      /** Discovery topics that could not be emptied. */
      readonly leftBehind: readonly string[];
    }
  /** Nothing was changed: a profile is on trial, another reset is under way, or the start is not over. */
  | { readonly status: 'refused'; readonly reason: 'trial' | 'running' | 'unread' }
  /** Nothing was changed: another operation runs. */
  | { readonly status: 'busy'; readonly running: RunningJob | null }
  /** Nothing was changed, because Home Assistant would keep entities. */
  | {
      readonly status: 'entities-left';
      readonly reason: LeftReason;
      readonly entities: number;
      readonly topics: readonly string[];
    }
  /** Nothing was changed; the stable code of the error. */
  | { readonly status: 'failed'; readonly reason: string };

/** A person confirmed a reset. One `reply` with a `ResetOutcome`. */
export interface ResetRequest {
  readonly type: 'reset.start';
  readonly requestId: string;
  readonly scope: ResetScope;
  readonly by: string;
  readonly at: EpochMs;
  /** True to continue even if entities stay behind in Home Assistant. */
  readonly withoutBroker: boolean;
}

/** A person cancels an order that a start could not carry out. One `reply` with a `CancelOutcome`. */
export interface CancelRequest {
  readonly type: 'reset.cancel';
  readonly requestId: string;
}

/** The answer to a cancellation. */
export type CancelOutcome =
  /** The order was removed from the store: no start carries it out. */
  | { readonly status: 'cancelled' }
  /** Nothing was changed: no reset is ordered, one is under way, or the start is not over. */
  | { readonly status: 'refused'; readonly reason: 'none' | 'running' | 'unread' }
  /** It stays ordered: another operation runs. */
  | { readonly status: 'busy'; readonly running: RunningJob | null }
  /** It stays ordered; the stable code of the error. */
  | { readonly status: 'failed'; readonly reason: string };

/** Fact from the follower of the other parts. */
export interface TrialFact {
  readonly type: 'trial.changed';
  /** True if a profile is on trial, or about to be. */
  readonly trial: boolean;
}

/** Commands to the driver that surrounds the reset. */
export type SurroundingsCommand =
  /** Announce the entities again. */
  | { readonly type: 'entities.release' }
  /** Every paired Home Assistant is told and forgotten, as the next start would forget it. */
  | { readonly type: 'keys.forget' }
  /** The operation that the token names has ended, or is ordered; null where nothing was done. */
  | {
      readonly type: 'lane.report';
      readonly token: string;
      readonly end: { readonly message: string; readonly result: JobResult } | { readonly ordered: string } | null;
    };

export type ResetEvent = ResetRequest | CancelRequest | TrialFact;

export type ResetPhase = 'idle' | 'withdrawing' | 'clearing' | 'restarting';

export interface ResetContext {
  /** The reset under way; null without one. */
  readonly scope: ResetScope | null;
  /** The last reset; null without one, and until it was read. */
  readonly last: ResetRecord | null;
  readonly trial: boolean;
  /** Settings that the command-line options will set again. */
  readonly comesBack: readonly string[];
  /** Stable code of why the disk refused, at this start, the reset that was ordered; null where it did not. */
  readonly failure: string | null;
  /** True once the agent has to restart to carry out the reset. */
  readonly restartDue: boolean;
}

export interface ResetInput {
  /** Time for the answer to arrive before the restart. */
  readonly answerMs: Milliseconds;
  /** Settings that the command-line options set at this start, and will set again at the next. */
  readonly comesBack: readonly string[];
  /** Stable code of why the disk refused, at this start, the reset that was ordered; null where it did not. */
  readonly failure: string | null;
}

export interface ResetActor {
  readonly id: 'reset';
  readonly context: ResetContext;
  readonly event: ResetRequest | CancelRequest;
  readonly asks: { readonly 'reset.start': ResetOutcome; readonly 'reset.cancel': CancelOutcome };
}
