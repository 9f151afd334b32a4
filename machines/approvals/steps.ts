import { ownField } from '../kit/own-field.ts';
import type { Milliseconds } from '../kit/units.ts';
import { afterUntouched, isSilent, mayDrawAttention, UNTOUCHED_MS } from './attention.ts';
import type {
  ApprovalHappened,
  ApprovalOutcome,
  ApprovalsEvent,
  AskedAtPanel,
  ExposureFinding,
  ModeFact,
  SecurityMode,
} from './events.ts';
import { type ApprovalReply, type ApprovalsFacts, emptyOutbox } from './facts.ts';
import { barredBy } from './barred.ts';
import { isBarrable, nextQuestion } from './question.ts';
import { resultOf } from './results.ts';
import {
  approveRequest,
  denyRequest,
  ignoreDevice,
  lookAt,
  noRequests,
  operationIn,
  passAll,
  recallAll,
  type Requests,
  standingOf,
  takeRequest,
  VALID_MS,
  withEnded,
} from './requests.ts';

/** Most entries that wait to be written into the history. */
const HAPPENED_LIMIT = 20;

/** A person is there, so later questions may light the panel again. */
const attended = { untouched: [], silent: false } as const;

type Event<T extends ApprovalsEvent['type']> = Extract<ApprovalsEvent, { readonly type: T }>;

const reply = (
  requestId: string,
  outcome: ApprovalOutcome | AskedAtPanel | ReturnType<typeof lookAt>,
): ApprovalReply => ({
  type: 'reply',
  requestId,
  outcome,
});

/** The facts at a later moment; a clock never runs backwards here. */
export const atMoment = (facts: ApprovalsFacts, at: Milliseconds): ApprovalsFacts => ({
  ...facts,
  clock: Math.max(facts.clock, at),
});

export function noted(
  facts: ApprovalsFacts,
  code: ApprovalHappened['code'],
  operation: string | null = null,
): ApprovalsFacts {
  const sequence = (facts.happened.at(-1)?.sequence ?? 0) + 1;
  return { ...facts, happened: [...facts.happened, { sequence, code, operation }].slice(-HAPPENED_LIMIT) };
}

const replied = (facts: ApprovalsFacts, answer: ApprovalReply): ApprovalsFacts => ({
  ...facts,
  outbox: { ...facts.outbox, replies: [...facts.outbox.replies, answer] },
});

/** The facts with other requests: parts whose question is over get `outcome`. */
function withRequests(facts: ApprovalsFacts, after: Requests, outcome: AskedAtPanel): ApprovalsFacts {
  const before = facts.requests;
  const still = new Set(after.list.map(({ id }) => id));
  const known = new Set(before.list.map(({ id }) => id));
  const over = before.list.filter(({ id }) => !still.has(id));
  const begun = after.list.filter(({ id }) => !known.has(id));
  const replies = over.flatMap(({ asker }) => (asker === null ? [] : [reply(asker, outcome)]));
  const requests = withEnded(before, after);
  return {
    ...facts,
    requests,
    standing: standingOf(requests),
    outbox: {
      replies: [...facts.outbox.replies, ...replies],
      begun: [...facts.outbox.begun, ...begun.map(({ id }) => id)],
      over: [...facts.outbox.over, ...over.map(({ id }) => id)],
    },
  };
}

/** A request for an operation: it proceeds, waits or is refused. */
export function takeApprovalRequest(
  before: ApprovalsFacts,
  { requestId, request }: Event<'approval.request'>,
): ApprovalsFacts {
  const facts = atMoment(before, request.at);
  const isHardenedOnly = ownField(facts.operations, request.operation)?.in !== 'every';
  if (isHardenedOnly && facts.mode === 'relaxed') return replied(facts, reply(requestId, { status: 'open' }));
  if (!isHardenedOnly && facts.place.kind === 'none')
    return replied(facts, reply(requestId, { status: 'no-place', reason: facts.place.reason }));
  const { candidate, at, ...asked } = request;
  const entry = { ...asked, id: candidate, askedAt: at, code: null, asker: null };
  const taken = takeRequest(facts.requests, entry, facts.shown?.id ?? null);
  if (taken.status === 'full' || taken.status === 'ignored') return replied(facts, reply(requestId, taken));
  const next = withRequests(facts, taken.requests, 'expired');
  if (taken.status === 'used')
    return replied(noted(next, 'used', request.operation), reply(requestId, { status: 'open' }));
  const waiting = taken.isNew ? noted(next, 'asked', request.operation) : next;
  return replied(waiting, reply(requestId, { status: 'pending', id: taken.id, place: facts.place }));
}

/** A question of a part of the panel itself; it is answered once a person has decided. */
export function takePartQuestion(
  before: ApprovalsFacts,
  { requestId, request }: Event<'approval.ask'>,
): ApprovalsFacts {
  const facts = atMoment(before, request.at);
  if (facts.place.kind === 'none') return replied(facts, reply(requestId, 'no-place'));
  const { candidate, at, ...asked } = request;
  const entry = { ...asked, id: candidate, askedAt: at, peer: '', digest: '', effect: null, asker: requestId };
  const taken = takeRequest(facts.requests, entry, facts.shown?.id ?? null);
  if (taken.status !== 'pending') return replied(facts, reply(requestId, 'no-place'));
  return noted(withRequests(facts, taken.requests, 'expired'), 'asked', request.operation);
}

export const lookAtRequest = (
  facts: ApprovalsFacts,
  { requestId, id, peer, at }: Event<'approval.look'>,
): ApprovalsFacts => replied(atMoment(facts, at), reply(requestId, lookAt(facts.requests, id, peer, at)));

/** Ten minutes after a request: it is over unless it was decided or used. */
export function expire(facts: ApprovalsFacts, id: string): ApprovalsFacts {
  const found = facts.requests.list.find((one) => one.id === id);
  if (found === undefined) return facts;
  const later = atMoment(facts, found.askedAt + VALID_MS);
  return noted(withRequests(later, denyRequest(later.requests, id), 'expired'), 'expired', found.operation);
}

/** What an operation asks for is not wanted any more: nothing of it waits on, and a part that asked is told. */
export function withdraw(facts: ApprovalsFacts, operation: string): ApprovalsFacts {
  const isWithdrawn = (request: Requests['list'][number]): boolean => request.operation === operation;
  if (!facts.requests.list.some(isWithdrawn)) return facts;
  const list = facts.requests.list.filter((request) => !isWithdrawn(request));
  return noted(withRequests(facts, { ...facts.requests, list }, 'expired'), 'withdrawn', operation);
}

/** A person denied a request, at the panel or on the command line. */
export function deny(facts: ApprovalsFacts, id: string, how: 'denied' | 'ignored'): ApprovalsFacts {
  if (facts.modeQuestion?.id === id) return { ...facts, modeQuestion: null };
  const operation = operationIn(facts.requests, id);
  if (operation === null) return facts;
  const after = how === 'ignored' ? ignoreDevice(facts.requests, id, facts.clock) : denyRequest(facts.requests, id);
  return noted({ ...withRequests(facts, after, 'denied'), ...attended }, how, operation);
}

/** A person approved the request on the screen. */
export function approve(facts: ApprovalsFacts): ApprovalsFacts {
  const id = facts.shown?.id ?? '';
  const operation = operationIn(facts.requests, id);
  if (operation === null) return facts;
  const after = approveRequest(facts.requests, id);
  return noted({ ...withRequests(facts, after, 'approved'), ...attended }, 'approved', operation);
}

/** What a look at the machine found, and what of that bars the answer. */
export const exposedTo = (facts: ApprovalsFacts, findings: readonly ExposureFinding[]): ApprovalsFacts => ({
  ...facts,
  exposure: findings,
  barred: isBarrable(facts) ? barredBy(findings) : [],
});

/** The effect of an approved request could not be carried out. */
export function fail(facts: ApprovalsFacts, failure: string | null): ApprovalsFacts {
  const operation = operationIn(facts.requests, facts.shown?.id ?? '');
  return {
    ...noted(approve(facts), 'failed', operation),
    result: resultOf(facts, 'failed', failure ?? 'It could not be carried out. The log says more.'),
  };
}

/** What the file says: another mode forgets everything that waits (contract, "States and transitions"). */
export function takeMode(
  facts: ApprovalsFacts,
  { mode, unreadable }: Extract<ModeFact, { type: 'mode.read' }>,
): ApprovalsFacts {
  const known = { ...facts, mode, unreadable };
  if (facts.mode === null || facts.mode === mode) return known;
  const forgotten = withRequests(known, { ...noRequests, ended: facts.requests.ended }, 'expired');
  return noted({ ...forgotten, ...attended, exposure: null, barred: [] }, mode);
}

/** A wish to switch the mode; none for the mode that is in force. */
export function wishMode(before: ApprovalsFacts, mode: SecurityMode, at: Milliseconds): ApprovalsFacts {
  const facts = atMoment(before, at);
  if (facts.mode === null || facts.mode === mode) return facts;
  const wishes = facts.wishes + 1;
  // Of the form of an approval's id, which the tab expects; those are random, so none is this small.
  return { ...facts, wishes, modeQuestion: { id: wishes.toString(16).padStart(32, '0'), mode } };
}

/** A person wants to see what waits. */
export const wantQuestions = (facts: ApprovalsFacts, at: Milliseconds): ApprovalsFacts => ({
  ...atMoment(facts, at),
  requests: recallAll(facts.requests),
  ...attended,
  wanted: true,
});

/** The next question comes to the screen. */
export function present(facts: ApprovalsFacts): ApprovalsFacts {
  const isFirst = facts.shown === null;
  const shown = nextQuestion(facts);
  return {
    ...facts,
    shown,
    result: null,
    silent: false,
    pressed: null,
    // Each question is read by itself: the tab says when another one is seen.
    visibleSince: shown?.id === facts.shown?.id ? facts.visibleSince : null,
    wasDark: isFirst ? facts.litSince === null : facts.wasDark,
  };
}

/** True if the question that comes may light the panel and sound. */
export const drawsAttention = ({ drawnAt, clock, wanted, modeQuestion }: ApprovalsFacts): boolean =>
  !wanted && modeQuestion === null && mayDrawAttention(drawnAt, clock);

/** The question was left untouched: it gives the screen back, and is not shown again by itself. */
export function passOver(facts: ApprovalsFacts): ApprovalsFacts {
  const at = facts.clock + UNTOUCHED_MS;
  const untouched = facts.shown?.kind === 'operation' ? afterUntouched(facts.untouched, at) : facts.untouched;
  return {
    ...facts,
    clock: at,
    untouched,
    silent: isSilent(untouched, at),
    modeQuestion: null,
    requests: passAll(facts.requests),
  };
}

/** The screen is the dashboard's again. */
export const leaveScreen = (facts: ApprovalsFacts): ApprovalsFacts => ({
  ...facts,
  shown: null,
  result: null,
  pressed: null,
  visibleSince: null,
  wasDark: false,
  barred: facts.mode === 'hardened' ? facts.barred : [],
  wanted: false,
});

export const cleared = (facts: ApprovalsFacts): ApprovalsFacts => ({ ...facts, outbox: emptyOutbox });
