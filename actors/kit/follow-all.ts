import type { ActorId, Actors } from '#machines/actors.ts';
import type { SnapshotView } from '#machines/kit/snapshot.ts';

import type { Registry } from './registry.ts';

/** The state and facts of the actor of that id, undefined while it is absent. */
type ViewOf<I extends ActorId> = SnapshotView<Actors[I]['context']> | undefined;

/** What is wanted of each actor, by its id. */
type Selection = { readonly [I in ActorId]?: (snapshot: ViewOf<I>) => unknown };

/** The selected values, by the id of the actor that they are of. */
export type SelectedFacts<S> = {
  readonly [I in keyof S]: S[I] extends (snapshot: never) => infer T ? T : never;
};

/** A key that is no actor's id does not compile. */
type OnlyIds<S> = { readonly [I in Exclude<keyof S, ActorId>]: never };

/** One of a list of actors that are followed; an id may stand in the list several times. */
export interface Followed<T> {
  readonly id: ActorId;
  /** What is wanted of it. */
  readonly selector: (snapshot: ViewOf<ActorId>) => T;
}

/**
 * Follows a list of actors and calls `onChange` with all selected values, in the order of the list: once at the start
 * and then whenever one of them differs. Returns how to stop that.
 */
export function followList<T>(
  registry: Pick<Registry, 'follow'>,
  list: readonly Followed<T>[],
  onChange: (values: readonly T[]) => void,
): () => void {
  const known = new Map<number, { readonly value: T }>();
  let attached = false;
  const changed = (): void => {
    // A selection that threw has no value yet; the registry reported that.
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
 * `onChange` with all selected values by id, once at the start and then whenever one of them differs. Returns how to
 * stop that.
 */
export function followAll<S extends Selection>(
  registry: Pick<Registry, 'follow'>,
  selection: S & OnlyIds<S>,
  onChange: (facts: SelectedFacts<NoInfer<S>>) => void,
): () => void {
  // The keys are ids and the values their selections, by the type of `S`; an object's entries do not say so.
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
 * A selection that gives what was known last while the actor is absent or does not know it (null): an actor that is
 * started again is away for a moment, and nothing changes by that. Made anew for each follower.
 */
export function lastKnown<V, T>(select: (snapshot: V) => T | null): (snapshot: V) => T | null {
  let last: T | null = null;
  return (snapshot) => {
    last = select(snapshot) ?? last;
    return last;
  };
}
