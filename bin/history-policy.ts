import type { EpochMs } from '#machines/kit/units.ts';
import type { Registry } from '#actors/kit/registry.ts';
import type { SupervisionFact } from '#actors/kit/supervision-fact.ts';

/** The history's code for what happened to a part; null for what no owner asks about later. */
function codeOf(fact: SupervisionFact): string | null {
  if (fact.type === 'ended') return fact.how === 'failed' ? 'crashed' : null;
  if (fact.type === 'parked') return 'parked';
  return fact.type === 'killed' ? 'cut' : null;
}

/** Most entries that are kept while the history does not run: more than a start has to report. */
const mostKept = 50;

/** Reports to the history which part failed or was left down. */
export interface HistoryReports {
  readonly note: (fact: SupervisionFact, at: EpochMs) => void;
  readonly end: () => void;
}

/** Reports to the history; what comes while it does not run is kept for it, oldest first. */
export function createHistoryReports(registry: Pick<Registry, 'tell' | 'follow'>): HistoryReports {
  let kept: (() => boolean)[] = [];
  const end = registry.follow(
    'history',
    (snapshot) => snapshot !== undefined,
    (isRunning) => {
      if (isRunning) kept = kept.filter((report) => !report());
    },
  );
  return {
    end,
    note: (fact, at) => {
      const code = codeOf(fact);
      if (code === null) return;
      const report = (): boolean =>
        registry.tell('history', { type: 'history.happened', at, kind: 'part', by: fact.id, code }) === 'delivered';
      if (!report() && kept.length < mostKept) kept.push(report);
    },
  };
}
