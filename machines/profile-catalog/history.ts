import { historyOf } from '../kit/history-event.ts';
import type { Milliseconds } from '../kit/units.ts';
import type { ProfileCatalogActor } from './events.ts';

/** How long a start still reports a profile that was taken back; an older one is in the history already. */
const reportsForMs: Milliseconds = 10 * 60_000;

/** Profiles that were selected, kept or taken back. */
export const history = [
  historyOf<ProfileCatalogActor>()({
    actor: 'profile-catalog',
    kind: 'profile',
    codes: ['selected', 'kept', 'taken-back'],
    single: true,
    selector: ({ catalog }) => catalog?.activation ?? null,
    historyEvents: (before, after, now, entry) => {
      if (before?.state === after.state && before.reason === after.reason) return [];
      if (after.state === 'rolled_back')
        return before === null && now - after.since > reportsForMs ? [] : entry(after.since, 'taken-back');
      if (after.state === 'trial') return after.reason === 'restart-due' ? entry(after.since, 'selected') : [];
      return before?.state === 'trial' ? entry(now, 'kept') : [];
    },
  }),
];
