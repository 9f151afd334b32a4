import type { FoundEntity } from '../home-presence/events.ts';
import type { ReplyEvent } from '../kit/outcome.ts';
import type { EpochMs } from '../kit/units.ts';
import type { MqttPhase } from '../mqtt/events.ts';
import type { SignInPhase } from '../sign-in/events.ts';

/** The steps of the setup, in order (contract, page `/setup`). */
export const stages = ['identity', 'home_assistant', 'broker', 'renderer', 'home_dashboard', 'entity_filter'] as const;

export type Stage = (typeof stages)[number];

/** The subject of an answer: a step, or the whole setup. */
export type Subject = Stage | 'setup';

/** `done`: the person is satisfied with it. `later`: the person postpones it. */
export type Answer = 'done' | 'later';

/** The person's answers, by subject. */
export type Answers = Readonly<Partial<Record<Subject, Answer>>>;

/** Status of a step. */
export const stepStates = ['done', 'needs_you', 'checking', 'blocked', 'put_off', 'not_here'] as const;

export type StepState = (typeof stepStates)[number];

export interface Step {
  readonly stage: Stage;
  readonly status: StepState;
  /** True if the setup is not complete without it. */
  readonly blocking: boolean;
  /** One sentence; never an address, a name or an identifier. */
  readonly detail: string;
}

/** Facts that the steps are judged by; null means not known yet. */
export interface SetupFacts {
  /** True if the owner chose a name or a panel id. */
  readonly named: boolean;
  /** True if another machine already publishes under the panel id. */
  readonly isIdTaken: boolean;
  /** True if the address of Home Assistant is set. */
  readonly hasAddress: boolean;
  /** True if a credential for Home Assistant is stored. */
  readonly hasCredential: boolean;
  /** True if the address of a broker is set. */
  readonly hasBroker: boolean;
  readonly signIn: { readonly phase: SignInPhase; readonly detail: string } | null;
  readonly broker: { readonly phase: MqttPhase; readonly detail: string } | null;
  /** Home Assistant's own integration, where the entities go through it; null where they go through the broker. */
  readonly session: { readonly state: 'connected' | 'unpaired' | 'away'; readonly detail: string } | null;
  /** The built-in renderer; `absent` if this panel or this run has none. */
  readonly renderer: {
    readonly state: 'absent' | 'needs_you' | 'working' | 'waiting' | 'checking';
    readonly detail: string;
  } | null;
  /** True if a home dashboard is set. */
  readonly hasHomeDashboard: boolean;
  /** After how many minutes without a touch the panel returns to it; 0 for never. */
  readonly returnMin: number;
  /** True if Home Assistant sends only what the dashboard shows. */
  readonly filters: boolean;
  /** An entity of this panel that Home Assistant shows now; null while that is not known. */
  readonly foundEntity: ShownEntity | null;
}

type ShownEntity = Pick<FoundEntity, 'entityId' | 'deviceId'>;

/** The stored record of the setup. */
export interface SetupRecord {
  readonly answers: Answers;
  /** When the setup was complete for the first time; null before. */
  readonly reachedAt: EpochMs | null;
}

/** Command for the store of the record; answered by `record.written`. */
export interface RecordCommand {
  readonly type: 'record.write';
  /** The request that waits for it; null for a write by the machine itself. */
  readonly requestId: string | null;
  readonly record: SetupRecord;
}

/** Facts from the store of the record. */
export type RecordFact =
  /** The stored record; null if there is none. */
  | { readonly type: 'record.found'; readonly record: SetupRecord | null; readonly at: EpochMs }
  | {
      readonly type: 'record.written';
      readonly requestId: string | null;
      readonly record: SetupRecord;
      /** Why it was not written; null on success. */
      readonly failure: string | null;
    };

/** Facts from the other parts. */
export interface FactsFact {
  readonly type: 'setup.observed';
  readonly facts: SetupFacts;
  readonly at: EpochMs;
}

/** A person's answer; one `reply` with an `AnswerOutcome` once it is stored. */
export interface AnswerRequest {
  readonly type: 'setup.answer';
  readonly requestId: string;
  readonly subject: Subject;
  readonly answer: Answer;
}

/** The result of an answer. */
type AnswerOutcome =
  | { readonly status: 'kept' }
  /** Nothing was changed; the reason comes from the store. */
  | { readonly status: 'commit-failed'; readonly reason: string };

export type SetupEvent = AnswerRequest | RecordFact | FactsFact;

/** The machine emits only replies. */
export type SetupEmitted = ReplyEvent<AnswerOutcome>;

export interface SetupContext {
  readonly answers: Answers;
  readonly reachedAt: EpochMs | null;
  /** Empty until their facts are known. */
  readonly steps: readonly Step[];
  /** An entity of this panel that Home Assistant shows now; null while that is not known. */
  readonly foundEntity: ShownEntity | null;
}

export interface SetupActor {
  readonly id: 'setup';
  readonly context: SetupContext;
  readonly event: AnswerRequest;
  readonly asks: { readonly 'setup.answer': AnswerOutcome };
}
