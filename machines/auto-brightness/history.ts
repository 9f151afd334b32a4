import { historyOf } from '../kit/history-event.ts';
import type { AutoBrightnessActor, HandOrigin, Unavailable } from './events.ts';

/** Origins as the history names them. */
const origins: Readonly<Record<HandOrigin, string>> = {
  home_assistant: 'home-assistant',
  panel_controls: 'http',
  system: 'elsewhere',
};

/** A source that was there before. */
const lost: readonly (Unavailable | null)[] = ['source-away', 'not-lux', 'not-a-number'];

/** When a person overruled the light of the room, and when its sensor was away. */
export const history = [
  historyOf<AutoBrightnessActor>()({
    actor: 'auto-brightness',
    kind: 'auto-brightness',
    codes: ['held', 'resumed', 'source-lost', 'source-back'],
    selector: ({ room: { why, sourceAvailable, preference } }) =>
      why === 'starting'
        ? null
        : {
            isLost: lost.includes(why),
            isThere: sourceAvailable,
            held: preference === null ? null : { origin: preference.origin, requested: preference.requested },
          },
    historyEvents: (before, after, now, entry) => {
      if (before === null) return [];
      const held = after.held;
      const isNew = held !== null && before.held?.requested !== held.requested;
      return [
        ...(isNew ? entry(now, 'held', origins[held.origin]) : []),
        ...(held === null && before.held !== null ? entry(now, 'resumed') : []),
        ...(before.isThere && after.isLost ? entry(now, 'source-lost') : []),
        ...(before.isLost && after.isThere ? entry(now, 'source-back') : []),
      ];
    },
  }),
];
