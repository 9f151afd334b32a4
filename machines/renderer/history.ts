import { historyOf } from '../kit/history-event.ts';
import type { EpochMs } from '../kit/units.ts';
import { unreachableOf } from './reachability.ts';
import type { RendererActor } from './events.ts';

interface Standing {
  readonly page: 'start' | 'calm';
  readonly since: EpochMs;
}

/** History entries for a fallback that began or ended. */
function fallbackEntries(before: Standing | null, after: Standing | null, now: EpochMs) {
  if (after === null) return before === null ? [] : [{ at: now, code: 'home-again' as const }];
  return before?.page === after.page && before.since === after.since
    ? []
    : [{ at: after.since, code: after.page === 'start' ? ('start-instead' as const) : ('calm-instead' as const) }];
}

export const history = [
  historyOf<RendererActor>()({
    actor: 'renderer',
    kind: 'dashboard',
    codes: [
      'crashed',
      'hung',
      'killed',
      'exited',
      'memory',
      'memory-dark',
      'asked',
      'stale',
      'blank',
      'credential',
      'address-changed',
      'display-changed',
      'start-timeout',
      'storage-cleared',
      'start-instead',
      'calm-instead',
      'home-again',
      'away',
      'back',
    ],
    selector: ({ restarts, fallback, ...facts }) => ({
      restarts,
      fallback: fallback === null ? null : { page: fallback.page, since: fallback.since },
      unreachableSince: unreachableOf(facts)?.since ?? null,
    }),
    historyEvents: (before, after, now, entry) => {
      const known = before?.restarts.at(-1)?.at ?? 0;
      const restarts = [
        ...after.restarts.filter(({ at }) => at > known).flatMap(({ at, reason }) => entry(at, reason)),
        ...fallbackEntries(before?.fallback ?? null, after.fallback, now).flatMap(({ at, code }) => entry(at, code)),
      ];
      if (after.unreachableSince !== null && before?.unreachableSince !== after.unreachableSince)
        return [...restarts, ...entry(after.unreachableSince, 'away')];
      return before !== null && before.unreachableSince !== null && after.unreachableSince === null
        ? [...restarts, ...entry(now, 'back')]
        : restarts;
    },
  }),
];
