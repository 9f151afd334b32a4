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
  readonly group: GroupId;
}

interface Declared<A extends ActorInterface> {
  readonly ids: readonly A['id'][];
  readonly group: GroupId | null;
  readonly interface?: A;
}

/** How a part runs: everything beside the logic. */
interface Running<A extends ActorInterface> {
  /** Which of the subsystem's ids it has; the first if absent. */
  readonly id?: A['id'];
  /**
   * The event that asks it to stop, and how long it may take before it is killed; without it, it is stopped at once.
   */
  readonly stop?: { readonly event: A['event']; readonly withinMs: Milliseconds };
}

/** The input of the logic, made again for each start; required if the logic needs one. */
type Started<L extends AnyActorLogic> =
  undefined extends InputFrom<L> ? { readonly input?: () => InputFrom<L> } : { readonly input: () => InputFrom<L> };

type Rest<A extends ActorInterface, L extends AnyActorLogic> =
  undefined extends InputFrom<L>
    ? readonly [running?: Running<A> & Started<L>]
    : readonly [running: Running<A> & Started<L>];

/** True if two types are identical, not just assignable to each other: `{ ok, value }` is also an `{ ok }`. */
type Same<X, Y> =
  (<T>() => T extends X ? 1 : 2) extends <T>() => T extends Y ? 1 : 2 ? true : [X] extends [never] ? false : false;

/** The facts that a logic shows; never for a logic without facts. */
type ShownBy<L> = SnapshotFrom<L> extends { readonly context: infer C } ? C : never;

/** The events that a logic emits; never if it does not declare any. */
type DeclaredEmits<L extends AnyActorLogic> = EventObject extends EmittedFrom<L> ? never : EmittedFrom<L>;
type EmittedBy<L extends AnyActorLogic> = Exclude<DeclaredEmits<L>, { readonly type: 'reply' | 'fault' }>;
type OutcomeIn<E> = E extends { readonly type: 'reply'; readonly requestId: string; readonly outcome: infer O }
  ? O
  : never;
type AnsweredBy<L extends AnyActorLogic> = OutcomeIn<DeclaredEmits<L>>;

type EmittedIn<A> = A extends { readonly emitted: infer E } ? E : never;
type AnswersIn<A> = AsksOf<A>[keyof AsksOf<A>];

/** `unknown` if a logic is what an interface promises; otherwise what is wrong, for the compiler's message. */
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
 * A permanent supervised worker of a subsystem. The manifest names its id and group, and the logic compiles only if its
 * facts, events, emitted events and answers match the interface that the manifest names.
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

/** Stands in for a part that is known but not loaded yet, or that could not be made. */
export function missingPart(id: string, group: GroupId, error: unknown): Part {
  return { id, group, logic: failing(error), restart: 'permanent', hopeless: true };
}

/**
 * Stands in for a part that could not be loaded. Each start tries to load it again, and is parked if that fails. Once
 * it is loaded the supervisor starts the part itself, since this spec then returns its fields.
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
  // A supervisor reads its specs again at each start and at each decision.
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

/** What is known of a part that does not always run. */
export interface Switched {
  /** True if the settings ask for it; null while that is unknown. */
  readonly wanted: boolean | null;
  /** The loaded part; null while it is not loaded. */
  readonly current: Part | null;
}

/**
 * The spec of a part that is turned on and off: it returns the fields of the part that is loaded now, and is held while
 * none is wanted.
 */
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
