import { historyOf } from '../kit/history-event.ts';
import { type CompanionActor, happenedCodes } from './events.ts';

/** Pairings, connections and moves; never a name, an id or an address. */
export const history = [
  historyOf<CompanionActor>()({
    actor: 'companion',
    kind: 'companion',
    codes: happenedCodes,
    selector: ({ happened }) => happened,
    historyEvents: (before, after, now, entry) => {
      const last = before?.at(-1)?.sequence ?? 0;
      // A restarted part counts from the start again.
      const isNewPart = (after.at(-1)?.sequence ?? 0) < last;
      return after
        .filter(({ sequence }) => isNewPart || sequence > last)
        .flatMap(({ code, at }) => entry(at ?? now, code));
    },
  }),
];
