/** The position of an item among others of its kind. */
export interface Place {
  /** Its own stable keys; items that name one of them come after it. */
  readonly keys: readonly string[];
  /** The key of the item right before it; null for the first. */
  readonly after: string | null;
}

/** Places that form no valid order: a mistake in a manifest. */
export class PlaceError extends Error {
  readonly code = 'bad-place';
}

/**
 * Sorts items by their places. Of several after the same neighbour, those without followers come first, so that a new
 * one is right beside it and not behind all the others; otherwise the order of the list is kept. `kind` names the items
 * in errors, such as `group of settings`.
 *
 * @throws PlaceError for a duplicate key, an unknown neighbour, or a cycle.
 */
export function inPlaces<T>(kind: string, items: readonly T[], placeOf: (item: T) => Place): readonly T[] {
  const placed = items.map((item) => ({ item, ...placeOf(item) }));
  type Placed = (typeof placed)[number];
  const owners = new Map<string, Placed>();
  for (const one of placed) {
    for (const key of one.keys) {
      if (owners.has(key)) throw new PlaceError(`each ${kind} has a key of its own, not "${key}" twice`);
      owners.set(key, one);
    }
  }
  const followers = new Map<Placed | null, Placed[]>();
  for (const one of placed) {
    const neighbour = one.after === null ? null : owners.get(one.after);
    if (neighbour === undefined)
      throw new PlaceError(`the ${kind} "${one.keys[0] ?? ''}" stands after "${one.after}", which does not exist`);
    followers.set(neighbour, [...(followers.get(neighbour) ?? []), one]);
  }
  const ordered = new Set<Placed>();
  const addAfter = (neighbour: Placed | null): void => {
    const next = followers.get(neighbour) ?? [];
    for (const one of [...next.filter((own) => !followers.has(own)), ...next.filter((own) => followers.has(own))]) {
      ordered.add(one);
      addAfter(one);
    }
  };
  addAfter(null);
  const left = placed.filter((one) => !ordered.has(one)).map(({ keys }) => `"${keys[0] ?? ''}"`);
  if (left.length > 0) throw new PlaceError(`in a circle: each ${kind} stands after another one of ${left.join(', ')}`);
  return Array.from(ordered, ({ item }) => item);
}
