/** An event for an actor, or one emitted by it. */
export interface NamedEvent {
  readonly type: string;
}

/**
 * What one actor shows to everything outside it; each subsystem's `events.ts` exports one, `machines/actors.ts` joins
 * them.
 */
export interface ActorInterface {
  /** Registry ids under which such actors run; several where several of a kind do. */
  readonly id: string;
  /** Public facts, plain JSON. */
  readonly context: unknown;
  /** What may be sent to it from outside; what its own drivers report is not among it. */
  readonly event: NamedEvent;
  /** Events that are answered by one `reply`, each with the type of its answer. */
  readonly asks?: object;
  /** What it emits beside `reply` and `fault`. */
  readonly emitted?: NamedEvent;
}

/** An operation of an actor failed and the actor goes on: which operation, and the error as it was thrown. */
export interface FaultEvent {
  readonly type: 'fault';
  /** Code of the operation that failed, `announced-read`. */
  readonly operation: string;
  readonly error: unknown;
}

/** The events of an actor that are answered, each with its answer; `never` where it names none. */
export type AsksOf<A> = A extends { readonly asks: infer Q } ? Q : never;

/** Names of the events that are answered. */
export type AskTypeOf<A> = A extends { readonly asks: infer Q } ? keyof Q & string : never;

/** The answer to the event of that name. */
export type AnswerOf<A, T extends string> = A extends ActorInterface
  ? T extends keyof AsksOf<A>
    ? AsksOf<A>[T]
    : never
  : never;

type WithoutRequest<E> = E extends unknown ? Omit<E, 'requestId'> : never;

/** An event that is answered, without the id of its request, which the registry adds. */
export type AskEventOf<A, T extends string> = A extends ActorInterface
  ? WithoutRequest<Extract<A['event'], { readonly type: T }>>
  : never;

/** What may be told to an actor: everything that needs no answer. */
export type TellEventOf<A> = A extends ActorInterface
  ? Exclude<A['event'], { readonly type: AskTypeOf<A>; readonly requestId: string }>
  : never;

/** What an actor emits for those who listen. */
export type EmittedOf<A> = FaultEvent | (A extends { readonly emitted: infer E extends NamedEvent } ? E : never);

/** An actor whose facts are only handed on: rows of all subsystems stand in one table as rows of such actors. */
export interface ErasedActor<A extends ActorInterface> extends ActorInterface {
  readonly id: A['id'];
  readonly context: unknown;
  readonly event: A['event'];
}

/** All members of a union in one: what several bring, as one record. */
export type Merged<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void ? I : never;
