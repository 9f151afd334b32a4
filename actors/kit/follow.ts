import type { StateValue } from 'xstate';

import type { SnapshotView } from '#machines/kit/snapshot.ts';

/** What the kit uses of a running actor. */
export interface LiveActor {
  readonly send: (event: { readonly type: string }) => void;
  readonly getSnapshot: () => unknown;
  readonly on: (
    type: string,
    handler: (event: { readonly type: string }) => void,
  ) => { readonly unsubscribe: () => void };
  readonly subscribe: (observer: {
    next: (snapshot: unknown) => void;
    error: (error: unknown) => void;
    complete: () => void;
  }) => {
    readonly unsubscribe: () => void;
  };
}

/** Where followers find actors and learn of their starts and ends. */
export interface Whereabouts {
  /** The running actor of that id; undefined while it is absent. */
  readonly locate: (id: string) => LiveActor | undefined;
  /** Calls back after each start and each end of that id; returns a function that stops it. */
  readonly onLife: (id: string, changed: () => void) => () => void;
  /** Called with what callbacks threw. */
  readonly report: (error: unknown) => void;
}

/** True if two JSON values are equal; anything else is compared by identity. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => sameValue(item, b[index]))
    );
  }
  // Neither is null or an array here; their own fields are compared.
  const left = a as Readonly<Record<string, unknown>>;
  const right = b as Readonly<Record<string, unknown>>;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && sameValue(left[key], right[key]))
  );
}

/** The public part of a running actor's snapshot; undefined if it has ended or holds no facts (a driver). */
export function viewOf(actor: LiveActor | undefined): SnapshotView | undefined {
  const snapshot = actor?.getSnapshot();
  if (typeof snapshot !== 'object' || snapshot === null || !('status' in snapshot) || snapshot.status !== 'active')
    return undefined;
  if (!('context' in snapshot)) return undefined;
  // XState types the value of a machine's snapshot as StateValue; logic without states (fromTransition) has none.
  return { value: 'value' in snapshot ? (snapshot.value as StateValue) : 'active', context: snapshot.context };
}

/**
 * Watches one instance of an actor until it ends. The only subscription in the agent, so every crash has an observer.
 */
export function watchInstance(actor: LiveActor, changed: () => void, ended: () => void): () => void {
  const subscription = actor.subscribe({ next: changed, error: ended, complete: ended });
  return () => subscription.unsubscribe();
}

/**
 * Calls `onChange` with the selected value at once and then whenever the value differs, across restarts of the actor
 * (`select` gets undefined while it is absent). A throw in `select` or `onChange` is reported and stops no other
 * follower.
 */
export function follow<T>(
  where: Whereabouts,
  id: string,
  select: (snapshot: SnapshotView | undefined) => T,
  onChange: (value: T) => void,
  equal: (a: T, b: T) => boolean = sameValue,
): () => void {
  let last: { readonly value: T; readonly seen: SnapshotView | undefined } | undefined;
  let attached: LiveActor | undefined;
  let unwatch = (): void => {};
  let over = false;

  // Facts are never changed in place: the same facts in the same state select the same value, and most events change
  // neither.
  const evaluate = (): void => {
    if (over) return;
    try {
      const seen = viewOf(attached);
      if (last?.seen && seen && last.seen.context === seen.context && sameValue(last.seen.value, seen.value)) return;
      const value = select(seen);
      if (last && equal(last.value, value)) {
        last = { value: last.value, seen };
        return;
      }
      last = { value, seen };
      onChange(value);
    } catch (error) {
      where.report(error);
    }
  };
  const attach = (): void => {
    if (over) return;
    const actor = where.locate(id);
    if (actor !== attached) {
      unwatch();
      attached = actor;
      unwatch = actor ? watchInstance(actor, evaluate, attach) : () => {};
    }
    evaluate();
  };

  const unlisten = where.onLife(id, attach);
  attach();
  return () => {
    over = true;
    unlisten();
    unwatch();
  };
}
