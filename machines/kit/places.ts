/** Where something stands among others of its kind. */
export interface Place {
  /** Its own stable names; whatever names one of them as its neighbour stands after it. */
  readonly keys: readonly string[];
  /** The key of the neighbour that it stands right after; null for what comes first. */
  readonly after: string | null;
}

/** Places that do not make an order: a mistake in a manifest. */
export class PlaceError extends Error {
  readonly code = 'bad-place';
}

/**
 * The items in the order that their places make. What stands after the same neighbour keeps the order of the list, and
 * each is followed by what stands after it. `kind` names the items in the message, `group of settings`.
 *
 * @throws PlaceError for two items of one key, a neighbour that nobody declares, and a circle.
 */
export function inPlaces<T>(kind: string, items: readonly T[], placeOf: (item: T) => Place): readonly T[] {
  const placed = items.map((item) => ({ item, ...placeOf(item) }));
  const owners = new Map<string, (typeof placed)[number]>();
  for (const one of placed) {
    for (const key of one.keys) {
      if (owners.has(key))
        throw new PlaceError(`two of one kind: each ${kind} has a key of its own, not "${key}" twice`);
      owners.set(key, one);
    }
  }
  const followers = new Map<(typeof placed)[number] | null, T[]>();
  const byItem = new Map(placed.map((one) => [one.item, one]));
  for (const { item, keys, after } of placed) {
    const neighbour = after === null ? null : owners.get(after);
    if (neighbour === undefined)
      throw new PlaceError(`the ${kind} "${keys[0] ?? ''}" stands after "${after}", which nobody declares`);
    followers.set(neighbour, [...(followers.get(neighbour) ?? []), item]);
  }
  const ordered: T[] = [];
  const add = (neighbour: (typeof placed)[number] | null): void => {
    for (const item of followers.get(neighbour) ?? []) {
      ordered.push(item);
      add(byItem.get(item) ?? null);
    }
  };
  add(null);
  if (ordered.length < items.length) {
    const left = placed.filter(({ item }) => !ordered.includes(item)).map(({ keys }) => `"${keys[0] ?? ''}"`);
    throw new PlaceError(`in a circle: each ${kind} stands after another one of ${left.join(', ')}`);
  }
  return ordered;
}
