import { historyOf } from '../kit/happening.ts';
import type { PowerActor } from './events.ts';

/** What the history tells of rebooting. */
export const history = [
  historyOf<PowerActor>()({
    actor: 'power',
    kind: 'reboot',
    codes: ['begun', 'refused'],
    single: true,
    selector: ({ lastReboot }) => lastReboot,
    happenings: (before, after, _now, happened) =>
      after.outcome === 'asked' || (before?.at === after.at && before.outcome === after.outcome)
        ? []
        : happened(after.at, after.outcome, after.origin),
  }),
];
