import type { OperationRow } from '../kit/operation.ts';
import type { ReplyEvent } from '../kit/outcome.ts';
import type { Milliseconds } from '../kit/units.ts';
import type {
  ApprovalOutcome,
  ApprovalsContext,
  ApprovalsEvent,
  AskedAtPanel,
  ControlFact,
  ExposureFact,
  ExposureFinding,
  LookedAt,
  ModeFact,
  QuestionFact,
  SecurityMode,
  ShownResult,
  SurroundingsFact,
} from './events.ts';
import type { HoldFacts } from './judge-hold.ts';
import type { Requests } from './requests.ts';

/** An answer to one of the questions that the approvals are asked. */
export type ApprovalReply = ReplyEvent<ApprovalOutcome | AskedAtPanel | LookedAt>;

/** A request is ten minutes old. */
export interface ExpiredEvent {
  readonly type: 'approval.expired';
  readonly id: string;
}

export type ApprovalsMachineEvent =
  | ApprovalsEvent
  | QuestionFact
  | SurroundingsFact
  | ExposureFact
  | ModeFact
  | ControlFact
  | ExpiredEvent;

/** Input of the machine. */
export interface ApprovalsInput {
  /** Every declared operation by its name. */
  readonly operations: Readonly<Record<string, OperationRow>>;
}

/** What a step leaves for the actions after it. */
export interface Outbox {
  readonly replies: readonly ApprovalReply[];
  /** Ids of requests that are new, and that are over. */
  readonly begun: readonly string[];
  readonly over: readonly string[];
}

/** Context of the approvals' machine. */
export interface ApprovalsFacts extends ApprovalsContext, HoldFacts, ApprovalsInput {
  /** The newest moment that any event carried, of the monotonic clock. */
  readonly clock: Milliseconds;
  readonly requests: Requests;
  /** A wish to switch the mode, from the panel's own screen; null without one. */
  readonly modeQuestion: { readonly id: string; readonly mode: SecurityMode } | null;
  /** What the last look at the machine found; null before the first. */
  readonly exposure: readonly ExposureFinding[] | null;
  /** Numbers the wishes. */
  readonly wishes: number;
  /** When the last questions were left untouched. */
  readonly untouched: readonly Milliseconds[];
  /** When the panel was last lit and sounded for a question; null for never. */
  readonly drawnAt: Milliseconds | null;
  /** True if the screens were dark when the question on them came. */
  readonly wasDark: boolean;
  /** True while a person wants to see what waits, although it waits silently. */
  readonly wanted: boolean;
  /** What the screen says after an answer; null without one. */
  readonly result: ShownResult | null;
  /** True while the control socket is told what to serve. */
  readonly serves: boolean;
  readonly outbox: Outbox;
}

export const emptyOutbox: Outbox = { replies: [], begun: [], over: [] };
