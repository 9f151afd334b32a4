/** An event for an actor, or one emitted by it. */
export interface NamedEvent {
  readonly type: string;
}

/** The public interface of one actor. Each subsystem's `events.ts` exports one; `machines/actors.ts` joins them. */
export interface ActorInterface {
  /** Registry ids under which such actors run; a union where several of a kind do. */
  readonly id: string;
  /** Public facts, plain JSON. */
  readonly context: unknown;
  /** Events that others may send to it; what its own drivers report is not among them. */
  readonly event: NamedEvent;
  /** Events that are answered by one `reply`, each with the type of its answer. */
  readonly asks?: object;
  /** What it emits besides `reply` and `fault`. */
  readonly emitted?: NamedEvent;
}

/** An operation of an actor failed and the actor carries on: which operation, and the error as it was thrown. */
export interface FaultEvent {
  readonly type: 'fault';
  /** Code of the operation that failed, `announced-read`. */
  readonly operation: string;
  readonly error: unknown;
}

/** The events that an actor answers, each with its answer; `never` if it has none. */
export type AsksOf<A> = A extends { readonly asks: infer Q } ? Q : never;

/** Names of the events that an actor answers. */
export type AskTypeOf<A> = A extends { readonly asks: infer Q } ? keyof Q & string : never;

/** The answer to the event of that name. */
export type AnswerOf<A, T extends string> = A extends ActorInterface
  ? T extends keyof AsksOf<A>
    ? AsksOf<A>[T]
    : never
  : never;

type WithoutRequest<E> = E extends unknown ? Omit<E, 'requestId'> : never;

/** An event that an actor answers, without the request id, which the registry adds. */
export type AskEventOf<A, T extends string> = A extends ActorInterface
  ? WithoutRequest<Extract<A['event'], { readonly type: T }>>
  : never;

/** Events for `tell`: all that need no answer. */
export type TellEventOf<A> = A extends ActorInterface
  ? Exclude<A['event'], { readonly type: AskTypeOf<A>; readonly requestId: string }>
  : never;

/** What listeners of an actor may receive. */
export type EmittedOf<A> = FaultEvent | (A extends { readonly emitted: infer E extends NamedEvent } ? E : never);

/** An actor whose facts are only passed on: one table holds the rows of all subsystems as rows of such actors. */
export interface ErasedActor<A extends ActorInterface> extends ActorInterface {
  readonly id: A['id'];
  readonly context: unknown;
  readonly event: A['event'];
}

/** The intersection of all members of a union: several records as one. */
export type Merged<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void ? I : never;
