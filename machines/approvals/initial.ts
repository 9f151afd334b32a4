import { type ApprovalsFacts, type ApprovalsInput, emptyOutbox } from './facts.ts';
import { nothingKnown } from './nothing-known.ts';
import { noRequests } from './requests.ts';

/** Facts at the start: nothing is known, nothing waits. */
export const initialFacts: Omit<ApprovalsFacts, keyof ApprovalsInput> = {
  ...nothingKnown,
  exposure: null,
  visibleSince: null,
  litSince: null,
  pressed: null,
  clock: 0,
  requests: noRequests,
  modeQuestion: null,
  wishes: 0,
  untouched: [],
  drawnAt: null,
  wasDark: false,
  wanted: false,
  result: null,
  serves: false,
  outbox: emptyOutbox,
};
