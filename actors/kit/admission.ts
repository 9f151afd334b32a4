import type { Effect, SecurityMode } from '#machines/approvals/events.ts';
import type { Closed } from '#machines/kit/operation.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { Operation } from '#machines/operations.ts';
import type { ProblemCode } from '#machines/problems.ts';

/** A request for an operation, as its admission is judged. */
export interface Wanted {
  readonly operation: Operation;
  /** What exactly is asked for; "" for nothing. */
  readonly what: string;
  /** The exact peer: an IP address, or `mqtt` for the command channel of Home Assistant. */
  readonly peer: string;
  /** True for a program on this machine, which is not asked in Hardened mode (contract, "Security modes"). */
  readonly trusted: boolean;
  /** What the approval binds, as canonical text: the whole request, or its subject. */
  readonly binds: string;
  /** What the approval itself carries out, for an operation of every mode; null otherwise. */
  readonly effect: Effect | null;
}

/** Why a request may not proceed; `approvalId` is set if it waits for a person. */
export interface NotAdmitted {
  readonly ok: false;
  readonly reason: Extract<
    ProblemCode,
    | 'approval-required'
    | 'too-many-approvals'
    | 'device-ignored'
    | 'no-place-to-ask'
    | 'not-here'
    | 'remote-input-disabled'
    | 'restarting'
  >;
  readonly message: string;
  readonly approvalId?: string;
}

export type Admitted = { readonly ok: true } | NotAdmitted;

/** What became of a request that waits for a person; `pending` if none answered yet. */
export type AnsweredAtPanel = 'approved' | 'denied' | 'pending';

/** Decides if a protected request may proceed, on every way into the agent. */
export interface Admission {
  /** The mode, or the last one that this process saw; null before the first. */
  readonly mode: () => SecurityMode | null;
  /** True if a request for it may have to wait for a person, or is refused; false if `admit` admits it at once. */
  readonly asks: (operation: Operation, trusted: boolean) => boolean;
  /** Answers at once where nothing is asked. */
  readonly admit: (wanted: Wanted) => Admitted | Promise<Admitted>;
  /** Waits until a person answered the request of this id and peer, at most `boundMs`. */
  readonly whenAnswered: (
    request: Pick<Wanted, 'operation' | 'peer'> & { readonly id: string },
    boundMs: Milliseconds,
    signal: AbortSignal,
  ) => Promise<AnsweredAtPanel>;
  /** For what is closed in Hardened mode. */
  readonly admitClosed: (closed: Closed<'remote-input-disabled'>, trusted: boolean) => Admitted;
  readonly end: () => void;
}
