import type { FoundEntity } from '../home-presence/events.ts';
import type { ReplyEvent } from '../kit/outcome.ts';
import type { EpochMs } from '../kit/units.ts';
import type { MqttPhase } from '../mqtt/events.ts';
import type { SignInPhase } from '../sign-in/events.ts';

/** The steps of the setup, in the order in which they are gone through (contract, page `/setup`). */
export const stages = ['identity', 'home_assistant', 'broker', 'renderer', 'home_dashboard', 'entity_filter'] as const;

/** One of them. */
export type Stage = (typeof stages)[number];

/** What a person's answer is about: a step, or the whole setup. */
export type Subject = Stage | 'setup';

/** `done`: it is as the person wants it. `later`: the person puts it off. */
export type Answer = 'done' | 'later';

/** What a person said, by what it is about. */
export type Answers = Readonly<Partial<Record<Subject, Answer>>>;

/** Where a step stands. */
export const stepStates = ['done', 'needs_you', 'checking', 'blocked', 'put_off', 'not_here'] as const;

/** One of them. */
export type StepState = (typeof stepStates)[number];

/** One step as it is shown. */
export interface Step {
  readonly stage: Stage;
  readonly status: StepState;
  /** True if the panel is not set up without it. */
  readonly blocking: boolean;
  /** One sentence; never an address, a name or an identifier. */
  readonly detail: string;
}

/** What the steps are judged from; null stands for what is not known yet. */
export interface SetupFacts {
  /** True if the owner chose a name or a panel id. */
  readonly named: boolean;
  /** True if the address of Home Assistant is set. */
  readonly hasAddress: boolean;
  /** True if a credential for Home Assistant is kept. */
  readonly hasCredential: boolean;
  /** True if the address of a broker is set. */
  readonly hasBroker: boolean;
  readonly signIn: { readonly phase: SignInPhase; readonly detail: string } | null;
  readonly broker: { readonly phase: MqttPhase; readonly detail: string } | null;
  /** What shows the dashboard: `absent` on a panel, or in a run, without it. */
  readonly renderer: {
    readonly state: 'absent' | 'needs_you' | 'working' | 'waiting' | 'checking';
    readonly detail: string;
  } | null;
  /** True if a home dashboard is set. */
  readonly hasHomeDashboard: boolean;
  /** True if the dashboard is sent only what it shows. */
  readonly filters: boolean;
  /** An entity of this panel that Home Assistant shows now; null while that is not known. */
  readonly foundEntity: ShownEntity | null;
}

type ShownEntity = Pick<FoundEntity, 'entityId'>;

/** What is kept of the setup. */
export interface SetupRecord {
  readonly answers: Answers;
  /** When everything that is needed was there for the first time; null before. */
  readonly reachedAt: EpochMs | null;
}

/** What the driver of the kept record is told; answered by `record.written`. */
export interface RecordCommand {
  readonly type: 'record.write';
  /** The request that waits for it; null where the machine itself keeps something. */
  readonly requestId: string | null;
  readonly record: SetupRecord;
}

/** What the driver of the kept record reports. */
export type RecordFact =
  /** What was kept; null where nothing ever was. */
  | { readonly type: 'record.found'; readonly record: SetupRecord | null; readonly at: EpochMs }
  | {
      readonly type: 'record.written';
      readonly requestId: string | null;
      readonly record: SetupRecord;
      /** Why it is not on disk; null where it is. */
      readonly failure: string | null;
    };

/** What is followed of the other parts. */
export interface FactsFact {
  readonly type: 'setup.observed';
  readonly facts: SetupFacts;
  readonly at: EpochMs;
}

/** A person's answer; one `reply` with an `AnswerOutcome` once it is durable. */
export interface AnswerRequest {
  readonly type: 'setup.answer';
  readonly requestId: string;
  readonly subject: Subject;
  readonly answer: Answer;
}

/** What came of an answer. */
type AnswerOutcome =
  | { readonly status: 'kept' }
  /** Nothing was changed; the reason is that of the store. */
  | { readonly status: 'commit-failed'; readonly reason: string };

/** Everything that reaches the setup. */
export type SetupEvent = AnswerRequest | RecordFact | FactsFact;

/** What it emits: answers alone. */
export type SetupEmitted = ReplyEvent<AnswerOutcome>;

/** Public facts of the setup. */
export interface SetupContext {
  readonly answers: Answers;
  readonly reachedAt: EpochMs | null;
  /** Empty until what they are judged from is known. */
  readonly steps: readonly Step[];
  /** An entity of this panel that Home Assistant shows now; null while that is not known. */
  readonly foundEntity: ShownEntity | null;
}

/** What the actor of the setup shows to the rest of the house. */
export interface SetupActor {
  readonly id: 'setup';
  readonly context: SetupContext;
  readonly event: AnswerRequest;
  readonly asks: { readonly 'setup.answer': AnswerOutcome };
}
