import type { ActorId, Actors } from '#machines/actors.ts';
import type { SnapshotView } from '#machines/kit/snapshot.ts';

import type { Registry } from './registry.ts';

/** State and facts of that actor; undefined while it is absent. */
type ViewOf<I extends ActorId> = SnapshotView<Actors[I]['context']> | undefined;

/** A selector for each actor, by its id. */
type Selection = { readonly [I in ActorId]?: (snapshot: ViewOf<I>) => unknown };

/** The selected values, by actor id. */
export type SelectedFacts<S> = {
  readonly [I in keyof S]: S[I] extends (snapshot: never) => infer T ? T : never;
};

/** A key that is no actor id does not compile. */
type OnlyIds<S> = { readonly [I in Exclude<keyof S, ActorId>]: never };

/** An entry of a list of followed actors; an id may occur several times. */
export interface Followed<T> {
  readonly id: ActorId;
  readonly selector: (snapshot: ViewOf<ActorId>) => T;
}

/**
 * Follows a list of actors and calls `onChange` with all selected values, in the order of the list: once at the start
 * and then whenever one of them differs. Returns a function that stops following.
 */
export function followList<T>(
  registry: Pick<Registry, 'follow'>,
  list: readonly Followed<T>[],
  onChange: (values: readonly T[]) => void,
): () => void {
  const known = new Map<number, { readonly value: T }>();
  let attached = false;
  const changed = (): void => {
    // A selector that threw has no value yet; the registry has reported it.
    if (attached && known.size === list.length)
      onChange(list.flatMap((_, at) => known.get(at) ?? []).map((it) => it.value));
  };
  const ends = list.map(({ id, selector }, at) =>
    registry.follow(id, selector, (value) => {
      known.set(at, { value });
      changed();
    }),
  );
  attached = true;
  changed();
  return () => {
    for (const end of ends) end();
  };
}

/**
 * Follows several actors as one: `followAll(registry, { settings: select, identity: select }, onChange)` calls
 * `onChange` with all selected values by id, once at the start and then whenever one of them differs. Returns a
 * function that stops following.
 */
export function followAll<S extends Selection>(
  registry: Pick<Registry, 'follow'>,
  selection: S & OnlyIds<S>,
  onChange: (facts: SelectedFacts<NoInfer<S>>) => void,
): () => void {
  // By the type of `S` the keys are ids and the values their selectors; `Object.entries` loses that.
  const entries = Object.entries(selection) as unknown as readonly (readonly [
    ActorId,
    Followed<unknown>['selector'],
  ])[];
  return followList(
    registry,
    entries.map(([id, selector]) => ({ id, selector })),
    (values) => onChange(Object.fromEntries(entries.map(([id], at) => [id, values[at]])) as SelectedFacts<S>),
  );
}

/**
 * A selector that keeps the last known value while the actor is absent or does not know it (null), so that the short
 * absence of a restart changes nothing. It has state: each follower needs its own.
 */
export function lastKnown<V, T>(select: (snapshot: V) => T | null): (snapshot: V) => T | null {
  let last: T | null = null;
  return (snapshot) => {
    last = select(snapshot) ?? last;
    return last;
  };
}
