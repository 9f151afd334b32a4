import { historyOf } from '../kit/history-event.ts';
import type { ScreenActor } from './events.ts';

export const history = [
  historyOf<ScreenActor>()({
    actor: 'screen',
    kind: 'screen',
    codes: ['on', 'off'],
    single: true,
    selector: ({ lit, changed }) => (lit === null ? null : { lit, changed }),
    historyEvents: (before, after, now, entry) => {
      if (before === null || before.lit === after.lit) return [];
      const reported = after.changed?.at === before.changed?.at ? null : after.changed;
      return entry(reported?.at ?? now, after.lit ? 'on' : 'off', reported?.by ?? 'elsewhere');
    },
  }),
];
