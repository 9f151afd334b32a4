import type { FoundInstance } from './events.ts';

/** What is known from the instances seen: one is found, two are never guessed between. */
export interface FinderVerdict {
  readonly outcome: 'searching' | 'found' | 'ambiguous';
  readonly host: string | null;
  /** Different ones; one instance on two addresses counts once. */
  readonly count: number;
}

/** Decides what was found; the first address of an instance stands for it. */
export const outcomeOf = (instances: readonly FoundInstance[]): FinderVerdict => {
  const hosts = new Map<string, string>();
  for (const { id, host } of instances) if (!hosts.has(id)) hosts.set(id, host);
  const [host = null] = hosts.values();
  if (hosts.size > 1) return { outcome: 'ambiguous', host: null, count: hosts.size };
  return { outcome: host === null ? 'searching' : 'found', host, count: hosts.size };
};
