import type { Backoff } from '#machines/kit/backoff.ts';
import type { WorkerOutcome } from '#machines/kit/outcome.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';
import type { Failure, SupervisionFact } from './supervision-fact.ts';

/** When a child that ended is started again: always, only after a crash, or never (OTP's restart types). */
export type RestartType = 'permanent' | 'transient' | 'temporary';

/** Which siblings go down and up with a crashed child: none, those started after it, or all (OTP's strategies). */
export type Strategy = 'one_for_one' | 'rest_for_one' | 'one_for_all';

/**
 * The phase of a child. `waiting` is before its first start, `restarting` is down with a restart scheduled, `off` is
 * down because the settings do not ask for it.
 */
export type Phase = 'waiting' | 'running' | 'stopping' | 'stopped' | 'parked' | 'restarting' | 'off';

/** What the decision needs to know of a child. */
export interface ChildRule {
  readonly id: string;
  readonly restart: RestartType;
  /** How long it may take to stop when asked; null if it is stopped without being asked. */
  readonly stopWithinMs: Milliseconds | null;
  /** The phase in which it waits to be adopted; null or absent if it starts with its group. */
  readonly held?: 'waiting' | 'off' | null;
  /** True if its first crash parks it. */
  readonly hopeless?: boolean;
}

/** What the decision needs to know of a group. */
export interface GroupRules {
  readonly strategy: Strategy;
  readonly intensity: { readonly restarts: number; readonly periodMs: Milliseconds };
  readonly onGiveUp: 'escalate' | 'park';
  readonly parkRetryMs: Milliseconds;
  readonly backoff: Backoff;
  /** In start order. */
  readonly children: readonly ChildRule[];
}

export interface ChildFacts {
  readonly id: string;
  readonly phase: Phase;
  /** Number of its newest generation in this group; 0 before its first start. */
  readonly generation: number;
  /** The recovery or parking that it belongs to while it is down. */
  readonly round: number;
  /** How often it was started again. */
  readonly restarts: number;
  /** Code of why it last went down; null if it never did. */
  readonly lastReason: string | null;
  /** When it entered this phase. */
  readonly since: EpochMs;
}

/** What happens to a child once it has stopped; `again`: it was dismissed, and adopted again before it was down. */
type Next = 'restart' | 'park' | 'stop' | 'off' | 'again';

/** A child to be stopped, what happens to it then, and the recovery or parking it belongs to. */
export interface QueueEntry {
  readonly id: string;
  readonly next: Next;
  readonly round: number;
}

/** All facts of a group, plain JSON. */
export interface SupervisionState {
  readonly status: 'waiting' | 'running' | 'stopping' | 'ended';
  readonly since: EpochMs;
  /** How it ends; known as soon as it begins to stop. */
  readonly outcome: WorkerOutcome | null;
  readonly children: readonly ChildFacts[];
  /** Restarts within the period, by the child that caused them. */
  readonly recent: readonly { readonly id: string; readonly at: EpochMs }[];
  /** Children still to be stopped, in that order; only the first is being stopped. */
  readonly queue: readonly QueueEntry[];
  /** The restart to schedule once the queue is empty. */
  readonly pending: { readonly round: number; readonly delayMs: Milliseconds } | null;
  readonly generation: number;
  readonly round: number;
}

/** What happened. A fact about a generation carries its number; a late one is dropped. */
export type SupervisionEvent =
  | { readonly type: 'begin' }
  /** `random` in [0, 1) spreads the pause before a restart. */
  | ({
      readonly type: 'ended';
      readonly id: string;
      readonly generation: number;
      readonly how: 'stopped' | 'failed';
      readonly random: number;
    } & Failure)
  | { readonly type: 'bound-passed'; readonly id: string; readonly generation: number }
  | { readonly type: 'restart-due'; readonly round: number }
  | { readonly type: 'retry-due'; readonly round: number }
  | { readonly type: 'revive'; readonly id: string }
  /** A child that waits or is off shall run from now on. */
  | { readonly type: 'adopt'; readonly id: string }
  /** A child shall not run any more: it is stopped, and stays off until it is adopted. */
  | { readonly type: 'dismiss'; readonly id: string }
  | { readonly type: 'shutdown' };

/** What is to be done, in this order. */
export type SupervisionEffect =
  | { readonly do: 'start'; readonly id: string; readonly generation: number }
  | { readonly do: 'ask-to-stop'; readonly id: string; readonly generation: number; readonly withinMs: Milliseconds }
  /** Stop what is left of that generation, including its orphans, and forget it. */
  | { readonly do: 'remove'; readonly id: string; readonly generation: number }
  | { readonly do: 'schedule'; readonly delayMs: Milliseconds; readonly event: SupervisionEvent }
  /** That child is off: what it is made from may be dropped. */
  | { readonly do: 'release'; readonly id: string }
  | { readonly do: 'end' }
  | { readonly do: 'note'; readonly fact: SupervisionFact };

/** A decision: the facts afterwards, and what is to be done. */
export interface SupervisionDecision {
  readonly state: SupervisionState;
  readonly effects: readonly SupervisionEffect[];
}
