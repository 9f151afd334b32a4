import { historyOf } from '../kit/happening.ts';
import { callbackOutcomes, type SignInActor } from './events.ts';

/** What the history tells of the sign-in. */
export const history = [
  historyOf<SignInActor>()({
    actor: 'sign-in',
    kind: 'sign-in',
    codes: [...callbackOutcomes, 'refused', 'signed-out'],
    selector: ({ phase, lastOutcome, attemptUntil }) => ({ phase, lastOutcome, attemptUntil }),
    happenings: (before, after, now, happened) => {
      if (before === null) return [];
      const answered =
        after.lastOutcome !== null &&
        (before.lastOutcome !== after.lastOutcome || (before.attemptUntil !== null && after.attemptUntil === null));
      if (answered && after.lastOutcome !== null) return happened(now, after.lastOutcome);
      if (before.phase === 'signed-in' && after.phase !== 'signed-in')
        return happened(now, after.phase === 'refused' ? 'refused' : 'signed-out');
      return [];
    },
  }),
];
