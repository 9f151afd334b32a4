import { historyOf } from '../kit/history-event.ts';
import type { PowerActor } from './events.ts';

export const history = [
  historyOf<PowerActor>()({
    actor: 'power',
    kind: 'reboot',
    codes: ['begun', 'refused'],
    single: true,
    selector: ({ lastReboot }) => lastReboot,
    historyEvents: (before, after, _now, entry) =>
      after.outcome === 'asked' || (before?.at === after.at && before.outcome === after.outcome)
        ? []
        : entry(after.at, after.outcome, after.origin),
  }),
];
