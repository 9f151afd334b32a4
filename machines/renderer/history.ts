import { historyOf } from '../kit/happening.ts';
import { awayOf } from './away.ts';
import type { RendererActor } from './events.ts';

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
      'away',
      'back',
    ],
    selector: ({ restarts, ...facts }) => ({ restarts, awaySince: awayOf(facts)?.since ?? null }),
    happenings: (before, after, now, happened) => {
      const known = before?.restarts.at(-1)?.at ?? 0;
      const restarts = after.restarts.filter(({ at }) => at > known).flatMap(({ at, reason }) => happened(at, reason));
      if (after.awaySince !== null && before?.awaySince !== after.awaySince)
        return [...restarts, ...happened(after.awaySince, 'away')];
      return before !== null && before.awaySince !== null && after.awaySince === null
        ? [...restarts, ...happened(now, 'back')]
        : restarts;
    },
  }),
];
