import { historyOf } from '../kit/history-event.ts';
import type { AnnouncerActor, AnnouncerContext } from './events.ts';

/** History of announcements; the reason for one that was not played is stored as its code. */
export const history = [
  historyOf<AnnouncerActor>()<Pick<AnnouncerContext, 'phase' | 'generation' | 'reason' | 'startedAt'>, string>({
    actor: 'announcer',
    kind: 'announcement',
    codes: ['played'],
    selector: ({ phase, generation, reason, startedAt }) => ({ phase, generation, reason, startedAt }),
    historyEvents: (before, after, now, entry) => {
      const same = before?.generation === after.generation && before.phase === after.phase;
      if (before === null || same) return [];
      if (after.phase === 'failed') return entry(now, after.reason ?? 'failed');
      return after.phase === 'playing' ? entry(after.startedAt ?? now, 'played') : [];
    },
  }),
];
