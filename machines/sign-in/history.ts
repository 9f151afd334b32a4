import { historyOf } from '../kit/history-event.ts';
import { callbackOutcomes, type SignInActor } from './events.ts';
import { passwordEnds } from './password.ts';

/** What the history tells of the sign-in. */
export const history = [
  historyOf<SignInActor>()({
    actor: 'sign-in',
    kind: 'sign-in',
    codes: [...callbackOutcomes, ...passwordEnds, 'refused', 'signed-out'],
    selector: ({ phase, lastOutcome, attemptUntil, password }) => ({ phase, lastOutcome, attemptUntil, password }),
    historyEvents: (before, after, now, entry) => {
      if (before === null) return [];
      const answered =
        after.lastOutcome !== null &&
        (before.lastOutcome !== after.lastOutcome || (before.attemptUntil !== null && after.attemptUntil === null));
      if (answered && after.lastOutcome !== null) return entry(now, after.lastOutcome);
      const end = passwordEnds.find((code) => code === after.password);
      if (end !== undefined && before.password !== end) return entry(now, end);
      if (before.phase === 'signed-in' && after.phase !== 'signed-in')
        return entry(now, after.phase === 'refused' ? 'refused' : 'signed-out');
      return [];
    },
  }),
];
