import { historyOf } from '../kit/history-event.ts';
import type { PublisherActor } from './events.ts';
import { phaseOf } from './phase.ts';
import { refusalCodes } from './refusal.ts';

/** Home Assistant connected to the broker or left it; one of its commands was refused, with the entity as `by`. */
export const history = [
  historyOf<PublisherActor>()({
    actor: 'publisher',
    kind: 'platform',
    codes: ['connected', 'lost'],
    selector: ({ homeAssistantDetected }, state) => ({
      live: phaseOf(state) === 'live',
      detected: homeAssistantDetected,
    }),
    historyEvents: (before, after, now, entry) => {
      if (after.detected) return before?.detected === true ? [] : entry(now, 'connected');
      return before?.detected === true && after.live ? entry(now, 'lost') : [];
    },
  }),
  historyOf<PublisherActor>()({
    actor: 'publisher',
    kind: 'command',
    codes: refusalCodes,
    selector: ({ lastRefusal }) => ({ refusal: lastRefusal }),
    historyEvents: (before, { refusal }, _, entry) =>
      before === null || refusal === null ? [] : entry(refusal.at, refusal.code, refusal.name),
  }),
];
