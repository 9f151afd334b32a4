import { historyOf } from '../kit/history-event.ts';
import type { PublisherActor } from './events.ts';
import { phaseOf } from './phase.ts';

/** Home Assistant connected to the broker or left it. */
export const history = [
  historyOf<PublisherActor>()({
    actor: 'publisher',
    kind: 'platform',
    codes: ['connected', 'lost'],
    selector: ({ homeAssistantDetected }, state) => ({ live: phaseOf(state) === 'live', seen: homeAssistantDetected }),
    historyEvents: (before, after, now, entry) => {
      if (after.seen) return before?.seen === true ? [] : entry(now, 'connected');
      return before?.seen === true && after.live ? entry(now, 'lost') : [];
    },
  }),
];
