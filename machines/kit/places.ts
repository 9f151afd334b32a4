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
 * The items in the order that their places make. Of several after the same neighbour those come first that nothing
 * follows, so that a newcomer is beside it and not behind all the others; else the order of the list holds. Messages
 * call the items by their `kind`, such as `group of settings`.
 *
 * @throws PlaceError for two items of one key, a neighbour that nobody declares, and a circle.
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
      throw new PlaceError(`the ${kind} "${one.keys[0] ?? ''}" stands after "${one.after}", which nobody declares`);
    followers.set(neighbour, [...(followers.get(neighbour) ?? []), one]);
  }
  const ordered: Placed[] = [];
  const addAfter = (neighbour: Placed | null): void => {
    const next = followers.get(neighbour) ?? [];
    for (const one of [...next.filter((own) => !followers.has(own)), ...next.filter((own) => followers.has(own))]) {
      ordered.push(one);
      addAfter(one);
    }
  };
  addAfter(null);
  const left = placed.filter((one) => !ordered.includes(one)).map(({ keys }) => `"${keys[0] ?? ''}"`);
  if (left.length > 0) throw new PlaceError(`in a circle: each ${kind} stands after another one of ${left.join(', ')}`);
  return ordered.map(({ item }) => item);
}
