import type { FoundInstance } from './events.ts';

/** The result of a search: one instance is found; of two none is picked. */
export interface FinderVerdict {
  readonly outcome: 'searching' | 'found' | 'ambiguous';
  readonly host: string | null;
  readonly name: string | null;
  /** Distinct instances; one with two addresses counts once. */
  readonly count: number;
}

/** Decides what was found; an instance is represented by its first address. */
export function outcomeOf(instances: readonly FoundInstance[]): FinderVerdict {
  const different = new Map<string, FoundInstance>();
  for (const instance of instances) if (!different.has(instance.id)) different.set(instance.id, instance);
  const [first] = different.values();
  const count = different.size;
  if (first === undefined) return { outcome: 'searching', host: null, name: null, count };
  if (count > 1) return { outcome: 'ambiguous', host: null, name: null, count };
  return { outcome: 'found', host: first.host, name: first.name, count };
}
