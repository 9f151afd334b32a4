import { historyOf } from '../kit/happening.ts';
import type { EpochMs } from '../kit/units.ts';
import { awayOf } from './away.ts';
import type { RendererActor } from './events.ts';

interface Standing {
  readonly page: 'start' | 'calm';
  readonly since: EpochMs;
}

/** What became of the page that stands for home. */
const standsIn = (before: Standing | null, after: Standing | null, now: EpochMs) => {
  if (after === null) return before === null ? [] : [{ at: now, code: 'home-again' as const }];
  return before?.page === after.page && before.since === after.since
    ? []
    : [{ at: after.since, code: after.page === 'start' ? ('start-instead' as const) : ('calm-instead' as const) }];
};

/** What the history tells of the dashboard. */
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
    selector: ({ restarts, standIn, ...facts }) => ({
      restarts,
      standIn: standIn === null ? null : { page: standIn.page, since: standIn.since },
      awaySince: awayOf(facts)?.since ?? null,
    }),
    happenings: (before, after, now, happened) => {
      const known = before?.restarts.at(-1)?.at ?? 0;
      const restarts = [
        ...after.restarts.filter(({ at }) => at > known).flatMap(({ at, reason }) => happened(at, reason)),
        ...standsIn(before?.standIn ?? null, after.standIn, now).flatMap(({ at, code }) => happened(at, code)),
      ];
      if (after.awaySince !== null && before?.awaySince !== after.awaySince)
        return [...restarts, ...happened(after.awaySince, 'away')];
      return before !== null && before.awaySince !== null && after.awaySince === null
        ? [...restarts, ...happened(now, 'back')]
        : restarts;
    },
  }),
];
