import {
  type AnyActorLogic,
  type EmittedFrom,
  type EventFromLogic,
  type EventObject,
  fromPromise,
  type InputFrom,
  type SnapshotFrom,
} from 'xstate';

import type { ActorInterface, AsksOf } from '#machines/kit/actor.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { GroupId } from '#machines/supervision-groups.ts';

import { failing } from './failing.ts';
import type { ChildSpec } from './spec.ts';

/** A worker with the group that supervises it; `superviseAll` puts it into the tree. */
export interface Part extends ChildSpec {
  /** The group that its manifest names. */
  readonly group: GroupId;
}

/** What `part` uses of a manifest. */
interface Declared<A extends ActorInterface> {
  readonly ids: readonly A['id'][];
  readonly group: GroupId | null;
  readonly interface?: A;
}

/** How a part is run; everything beside the logic itself. */
interface Running<A extends ActorInterface> {
  /** Which of the subsystem's ids it is; the only one when absent. */
  readonly id?: A['id'];
  /** What asks it to stop, and how long it may take before it is killed; without it, it is stopped at once. */
  readonly stop?: { readonly event: A['event']; readonly withinMs: Milliseconds };
}

/** What the logic is started with, made anew for each start; demanded of a logic that needs it. */
type Started<L extends AnyActorLogic> =
  undefined extends InputFrom<L> ? { readonly input?: () => InputFrom<L> } : { readonly input: () => InputFrom<L> };

type Rest<A extends ActorInterface, L extends AnyActorLogic> =
  undefined extends InputFrom<L>
    ? readonly [running?: Running<A> & Started<L>]
    : readonly [running: Running<A> & Started<L>];

/** Whether two types are the very same, not only assignable to each other: `{ ok, value }` is also an `{ ok }`. */
type Same<X, Y> =
  (<T>() => T extends X ? 1 : 2) extends <T>() => T extends Y ? 1 : 2 ? true : [X] extends [never] ? false : false;

/** Facts that a logic shows; none of a logic without facts. */
type ShownBy<L> = SnapshotFrom<L> extends { readonly context: infer C } ? C : never;

/** Logic that does not say what it emits emits nothing that anybody is told of. */
type SaidBy<L extends AnyActorLogic> = EventObject extends EmittedFrom<L> ? never : EmittedFrom<L>;
type EmittedBy<L extends AnyActorLogic> = Exclude<SaidBy<L>, { readonly type: 'reply' | 'fault' }>;
type OutcomeIn<E> = E extends { readonly type: 'reply'; readonly requestId: string; readonly outcome: infer O }
  ? O
  : never;
type AnsweredBy<L extends AnyActorLogic> = OutcomeIn<SaidBy<L>>;

type EmittedIn<A> = A extends { readonly emitted: infer E } ? E : never;
type AnswersIn<A> = AsksOf<A>[keyof AsksOf<A>];

/**
 * Whether a logic is what an interface promises: `unknown` when it is, else what is wrong, for the compiler's message.
 */
type Fits<A extends ActorInterface, L extends AnyActorLogic> = [ShownBy<L>] extends [A['context']]
  ? [A['event']] extends [EventFromLogic<L>]
    ? Same<EmittedBy<L>, EmittedIn<A>> extends true
      ? Same<AnsweredBy<L>, AnswersIn<A>> extends true
        ? unknown
        : { readonly 'answers are not those of the interface': AnsweredBy<L> }
      : { readonly 'emitted events are not those of the interface': EmittedBy<L> }
    : { readonly 'events of the interface that the logic does not take': Exclude<A['event'], EventFromLogic<L>> }
  : { readonly 'facts are not those of the interface': ShownBy<L> };

/**
 * A supervised worker of a subsystem, permanent: the manifest says its id and group, and the logic compiles only when
 * its facts, events, emitted events and answers are those of the interface that the manifest names.
 */
export function part<A extends ActorInterface, L extends AnyActorLogic>(
  manifest: Declared<A>,
  logic: L & Fits<A, L>,
  ...[running]: Rest<A, L>
): Part {
  const { id = manifest.ids[0], input, stop }: Running<A> & { readonly input?: () => unknown } = { ...running };
  if (id === undefined || manifest.group === null) throw new Error('a part without an id or a group');
  return { id, group: manifest.group, logic, restart: 'permanent', ...(input && { input }), ...(stop && { stop }) };
}

/** Stands for a part that is known and not there yet, or that could not be made. */
export function missingPart(id: string, group: GroupId, error: unknown): Part {
  return { id, group, logic: failing(error), restart: 'permanent', hopeless: true };
}

/**
 * Stands for a part that could not be loaded: each start tries again, and is parked where that fails. Once it is loaded
 * the supervisor starts the part itself, which this has become.
 */
export function unloadedPart(id: string, group: GroupId, load: () => Promise<Part>): Part {
  let current: Part = {
    id,
    group,
    restart: 'permanent',
    hopeless: true,
    logic: fromPromise(async () => {
      current = await load();
    }),
  };
  // A supervisor reads its specs anew at each start and at each judgement.
  return {
    id,
    group,
    restart: 'permanent',
    get logic() {
      return current.logic;
    },
    get input() {
      return current.input;
    },
    get stop() {
      return current.stop;
    },
    get hopeless() {
      return current.hopeless;
    },
  };
}

/** What is known of a part that is not always wanted. */
export interface Switched {
  /** Null while that is not known. */
  readonly wanted: boolean | null;
  /** Null while it is not loaded. */
  readonly current: Part | null;
}

/** Stands for a part that is turned on and off: it is the one that is loaded now, and held while none is wanted. */
export function switchedPart(id: string, group: GroupId, now: () => Switched, release: () => void): Part {
  const absent = failing(new Error('not loaded yet'));
  return {
    id,
    group,
    restart: 'permanent',
    get logic() {
      return now().current?.logic ?? absent;
    },
    get input() {
      return now().current?.input;
    },
    get stop() {
      return now().current?.stop;
    },
    get hopeless() {
      return now().current?.hopeless;
    },
    get held() {
      const { wanted, current } = now();
      if (wanted === false) return 'off';
      return current === null ? 'waiting' : null;
    },
    release,
  };
}
