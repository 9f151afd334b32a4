import type { EpochMs } from '#machines/kit/units.ts';
import type { Registry } from '#actors/kit/registry.ts';
import type { SupervisionFact } from '#actors/kit/supervision-fact.ts';

/** The history's code for what happened to a part; null for what no owner asks about later. */
const codeOf = (fact: SupervisionFact): string | null => {
  if (fact.type === 'ended') return fact.how === 'failed' ? 'crashed' : null;
  if (fact.type === 'parked') return 'parked';
  return fact.type === 'killed' ? 'cut' : null;
};

/** Reports to the history which part failed or was left down. */
export const reportToHistory = (registry: Registry, fact: SupervisionFact, at: EpochMs): void => {
  const code = codeOf(fact);
  if (code !== null) registry.tell('history', { type: 'history.happened', at, kind: 'part', by: fact.id, code });
};
