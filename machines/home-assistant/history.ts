import { historyOf } from '../kit/history-event.ts';
import type { HomeAssistantActor } from './events.ts';

/** Restarts and losses of Home Assistant in the history. */
export const history = [
  historyOf<HomeAssistantActor>()({
    actor: 'home-assistant',
    kind: 'home-assistant',
    codes: ['shutting_down', 'starting', 'back_online', 'connection_lost'],
    selector: ({ lifecycle }) => lifecycle?.state ?? 'normal',
    historyEvents: (before, after, now, entry) =>
      before === null || before === after || after === 'normal' ? [] : entry(now, after),
  }),
];
