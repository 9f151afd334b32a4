import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { WithdrawOutcome } from '../publisher/events.ts';

/** What a reset takes away: the connection to Home Assistant, the settings, or everything. */
export const resetScopes = ['connection', 'settings', 'everything'] as const;

/** One of them. */
export type ResetScope = (typeof resetScopes)[number];

/** A reset that was ordered. */
export interface ResetOrder {
  readonly scope: ResetScope;
  /** Who asked for it, as the history names them. */
  readonly by: string;
  readonly at: EpochMs;
  /** Discovery topics that could not be emptied. */
  readonly leftBehind: number;
}

/** A reset as the store keeps it: ordered, until a start has carried it out. */
export interface ResetRecord extends ResetOrder {
  readonly state: 'ordered' | 'done';
}

/** Why Home Assistant still has entities of the panel. `absent`: the part that could withdraw them does not run. */
export type LeftReason = Extract<WithdrawOutcome, { readonly status: 'left' }>['reason'] | 'absent';

/** What came of withdrawing the entities. */
export type Withdrawal =
  | Exclude<WithdrawOutcome, { readonly status: 'left' }>
  | {
      readonly status: 'left';
      readonly reason: LeftReason;
      readonly entities: number;
      readonly topics: readonly string[];
    };

/** What who asks for a reset is told. */
export type ResetOutcome =
  /** It is durably written down; the agent restarts and carries it out. */
  | {
      readonly status: 'ordered';
      /** Entities that were withdrawn from Home Assistant. */
      readonly entities: number;
      /** Discovery topics that could not be emptied. */
      readonly leftBehind: readonly string[];
    }
  /** Nothing was changed: a profile is being tried, another reset is under way, or the start is not over. */
  | { readonly status: 'refused'; readonly reason: 'trial' | 'running' | 'unread' }
  /** Nothing was changed, since Home Assistant would keep entities. */
  | {
      readonly status: 'entities-left';
      readonly reason: LeftReason;
      readonly entities: number;
      readonly topics: readonly string[];
    }
  /** Nothing was changed: a stable code of what the disk or a part refused. */
  | { readonly status: 'failed'; readonly reason: string };

/** Somebody confirmed a reset. One `reply` with a `ResetOutcome`. */
export interface ResetRequest {
  readonly type: 'reset.start';
  readonly requestId: string;
  readonly scope: ResetScope;
  readonly by: string;
  readonly at: EpochMs;
  /** Whether to go on where entities stay behind in Home Assistant. */
  readonly withoutBroker: boolean;
}

/** Somebody takes an order back that a start could not carry out. One `reply` with a `CancelOutcome`. */
export interface CancelRequest {
  readonly type: 'reset.cancel';
  readonly requestId: string;
}

/** What who takes a reset back is told. */
export type CancelOutcome =
  /** It is durably taken back: no start carries it out. */
  | { readonly status: 'cancelled' }
  /** Nothing was changed: no reset is ordered, one is under way, or the start is not over. */
  | { readonly status: 'refused'; readonly reason: 'none' | 'running' | 'unread' }
  /** It stays ordered: a stable code of what the disk refused. */
  | { readonly status: 'failed'; readonly reason: string };

/** What the driver that follows the rest of the panel reports, and what it is told. */
export interface TrialFact {
  readonly type: 'trial.changed';
  /** True if a profile is being tried, or about to be. */
  readonly trial: boolean;
}
export interface ReleaseCommand {
  /** The entities are to be announced again. */
  readonly type: 'entities.release';
}

export type ResetEvent = ResetRequest | CancelRequest | TrialFact;

/** Where a reset stands. */
export type ResetPhase = 'idle' | 'withdrawing' | 'clearing' | 'restarting';

/** Public facts of the reset. */
export interface ResetContext {
  /** The one under way; null while there is none. */
  readonly scope: ResetScope | null;
  /** The last one; null where there never was one, and until that was read. */
  readonly last: ResetRecord | null;
  readonly trial: boolean;
  /** Settings that the options of the start save again. */
  readonly comesBack: readonly string[];
  /** Stable code of why the disk refused, at this start, the reset that was ordered; null where it did not. */
  readonly failure: string | null;
  /** True once the agent has to restart to carry it out. */
  readonly restartDue: boolean;
}

/** What the reset is started with. */
export interface ResetInput {
  /** How long an answer has to get out before the restart. */
  readonly answerMs: Milliseconds;
  /** Settings that the options of this start saved, and that those of the next one save again. */
  readonly comesBack: readonly string[];
  /** Stable code of why the disk refused, at this start, the reset that was ordered; null where it did not. */
  readonly failure: string | null;
}

/** What the actor of the reset shows to the rest of the house. */
export interface ResetActor {
  readonly id: 'reset';
  readonly context: ResetContext;
  readonly event: ResetRequest | CancelRequest;
  readonly asks: { readonly 'reset.start': ResetOutcome; readonly 'reset.cancel': CancelOutcome };
}
