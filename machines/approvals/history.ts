import { historyOf } from '../kit/history-event.ts';
import { approvalCodes, type ApprovalsActor } from './events.ts';

/** What was asked, decided and switched at the panel; never who asked. */
export const history = [
  historyOf<ApprovalsActor>()({
    actor: 'approvals',
    kind: 'approval',
    codes: approvalCodes,
    single: true,
    selector: ({ happened }) => happened,
    historyEvents: (before, after, now, entry) => {
      const last = before?.at(-1)?.sequence ?? 0;
      // A restarted part counts from the start again.
      const isNewPart = (after.at(-1)?.sequence ?? 0) < last;
      return after
        .filter(({ sequence }) => isNewPart || sequence > last)
        .flatMap(({ code, operation }) => entry(now, code, operation));
    },
  }),
];
