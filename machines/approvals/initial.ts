import { type ApprovalsFacts, type ApprovalsInput, emptyOutbox } from './facts.ts';
import { noRequests } from './requests.ts';

/** Facts at the start: nothing is known, nothing waits. */
export const initialFacts: Omit<ApprovalsFacts, keyof ApprovalsInput> = {
  mode: null,
  unreadable: false,
  place: { kind: 'none', reason: 'starting' },
  standing: { pending: 0, approved: 0 },
  shown: null,
  silent: false,
  barred: [],
  exposure: null,
  happened: [],
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
