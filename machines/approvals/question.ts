import { isCompanionPeer } from '../kit/companion-peer.ts';
import { barredBy } from './barred.ts';
import { isSilent } from './attention.ts';
import type { ControlCommand, ListedRequest, QuestionKind, ShownQuestion } from './events.ts';
import type { ApprovalsFacts } from './facts.ts';
import { isDevice, openRequests, type StoredRequest, VALID_MS } from './requests.ts';

/** The peer of commands from Home Assistant over the broker. */
const COMMANDS = 'mqtt';

/** Who asks, for people. */
function whoAsks(peer: string): string {
  if (peer === '') return 'This panel';
  return peer === COMMANDS || isCompanionPeer(peer) ? 'Home Assistant' : peer;
}

const titleOf = ({ operations }: ApprovalsFacts, operation: string): string =>
  operations[operation]?.title ?? operation;

const modeTitles = {
  'enter-hardened': 'Use Hardened mode',
  'leave-hardened': 'Leave Hardened mode',
} as const satisfies Partial<Record<QuestionKind, string>>;

/** The next question to show by itself, or because a person wants to see what waits; null without one. */
export function nextQuestion(facts: ApprovalsFacts): ApprovalsFacts['shown'] {
  if (facts.place.kind === 'none') return null;
  if (facts.modeQuestion !== null) {
    const { id, mode } = facts.modeQuestion;
    const kind = mode === 'hardened' ? 'enter-hardened' : 'leave-hardened';
    return { id, kind, title: modeTitles[kind], consequence: '', code: null };
  }
  if (isSilent(facts.untouched, facts.clock) && !facts.wanted) return null;
  const first = openRequests(facts.requests)[0];
  if (first === undefined) return null;
  const { id, operation, code } = first;
  const consequence = facts.operations[operation]?.consequence ?? '';
  return { id, kind: 'operation', title: titleOf(facts, operation), consequence, code };
}

const leftOf = ({ clock }: ApprovalsFacts, { askedAt }: StoredRequest): number =>
  Math.max(0, VALID_MS - (clock - askedAt));

/** True if a finding on this machine bars the answer: entering Hardened mode, and everything in it. */
export const isBarrable = ({ mode, shown }: ApprovalsFacts): boolean =>
  mode === 'hardened' || shown?.kind === 'enter-hardened';

/** The question on the screen in full; null without one. */
export function shownQuestion(facts: ApprovalsFacts): ShownQuestion | null {
  const { shown, requests, exposure, modeQuestion } = facts;
  if (shown === null) return null;
  const barred = isBarrable(facts) ? barredBy(exposure ?? []) : [];
  if (shown.kind !== 'operation')
    return modeQuestion?.id !== shown.id
      ? null
      : {
          ...shown,
          what: '',
          who: whoAsks(''),
          code: null,
          leftMs: VALID_MS,
          position: 1,
          of: 1,
          barred,
          canIgnore: false,
        };
  const open = openRequests(requests);
  const index = open.findIndex(({ id }) => id === shown.id);
  const request = open[index];
  if (request === undefined) return null;
  const { what, peer, code } = request;
  return {
    ...shown,
    what,
    who: whoAsks(peer),
    code,
    leftMs: leftOf(facts, request),
    position: index + 1,
    of: open.length,
    barred,
    canIgnore: isDevice(peer),
  };
}

const listed =
  (facts: ApprovalsFacts) =>
  (request: StoredRequest): ListedRequest => ({
    id: request.id,
    title: titleOf(facts, request.operation),
    what: request.what,
    who: whoAsks(request.peer),
    state: request.approved ? 'approved' : 'pending',
    leftMs: leftOf(facts, request),
  });

/** What the control socket serves; it is closed while there is nothing to list or to leave. */
export const controlCommand = (facts: ApprovalsFacts): ControlCommand =>
  facts.mode === 'hardened' || facts.requests.list.length > 0
    ? {
        type: 'control.serve',
        mode: facts.mode ?? 'hardened',
        place: facts.place,
        requests: facts.requests.list.map(listed(facts)),
      }
    : { type: 'control.close' };
