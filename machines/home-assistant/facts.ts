import { shownFailure } from '../kit/certificate.ts';
import type { Milliseconds } from '../kit/units.ts';
import { endKindOf } from './end-kind.ts';
import type { ConnectionFact, HomeAssistantContext, NeedsFact, ReadOutcome, Topic } from './events.ts';
import { countsOnNative, type LifecycleSign, lifecycleAfter } from './lifecycle.ts';
import { keepSample, type PathSample } from './network.ts';
import type { CarriedTurn } from './turn.ts';
import { answeredBy, isKept, type Request, type WaitingRequest } from './sharing.ts';
import { reasonsOf } from './topics.ts';

/** All facts of the machine: the public ones, and its working state. */
export interface HomeAssistantFacts extends HomeAssistantContext {
  /** Number of the attempt. */
  readonly generation: number;
  /** Failed and lost connections in a row; 0 once one has held. */
  readonly attempt: number;
  readonly credential: boolean;
  readonly revision: number;
  /** True if restarts are watched for the built-in renderer. */
  readonly watchesLifecycle: boolean;
  /** True if its own integration tells the lifecycle, whatever the renderer: no connection is held for that. */
  readonly isNative: boolean;
  readonly watches: Readonly<Record<string, readonly Topic[]>>;
  readonly requests: readonly WaitingRequest[];
  /** The last answer that serves all callers, of this account at this address; null once it is too old. */
  readonly shared: ReadOutcome | null;
  /** True after a refused token until a newer one is accepted: a new one is then requested. */
  readonly needsNewToken: boolean;
  /** True if Home Assistant sends its events to this account. */
  readonly hearsEvents: boolean;
  /** The turn that was begun last, if it may still report; `isOver` once it has ended or failed. */
  readonly turn: CarriedTurn | null;
  /** Pings in a row without an answer and without any other frame. */
  readonly silent: number;
  /** True once the stored record of a Home Assistant that sent too much was read. */
  readonly isRecalled: boolean;
  /** How long after the start there is no verdict. */
  readonly settleMs: Milliseconds;
}

/** The facts at the start; `settleMs` is the rest of the settling time (contract, "Health line", rule 5). */
export const initialFacts = ({ settleMs }: Pick<HomeAssistantFacts, 'settleMs'>): HomeAssistantFacts => ({
  samples: [],
  lastAnsweredAt: null,
  lastProbedAt: null,
  established: false,
  settling: settleMs > 0,
  lifecycle: null,
  reasons: [],
  route: null,
  missed: 0,
  doubts: 0,
  failure: null,
  excess: null,
  isRecalled: false,
  isParked: false,
  generation: 0,
  attempt: 0,
  credential: false,
  revision: 0,
  watchesLifecycle: false,
  isNative: false,
  watches: {},
  requests: [],
  shared: null,
  needsNewToken: false,
  hearsEvents: false,
  turn: null,
  silent: 0,
  settleMs,
});

/** A change of facts with the resulting reasons. */
function withReasons(facts: HomeAssistantFacts, changed: Partial<HomeAssistantFacts>): Partial<HomeAssistantFacts> {
  const { watchesLifecycle, watches, requests } = { ...facts, ...changed };
  return { ...changed, reasons: reasonsOf({ lifecycle: watchesLifecycle, watches, requests: requests.length }) };
}

/** True if the needs have the same credential for the same Home Assistant as before. */
export const isSameCredential = (
  facts: Pick<HomeAssistantFacts, 'credential' | 'revision'>,
  needs: Extract<NeedsFact, { readonly type: 'needs.changed' }>,
): boolean => facts.revision === needs.revision && facts.credential === needs.credential;

/**
 * Applies new needs. The lifecycle is null without the built-in renderer or a credential; when both begin, and with
 * another credential, it is null until Home Assistant has answered. No answer to one account is given to another. What
 * its own integration says depends on neither; on the way from one to the other it is null.
 */
export function takeNeeds(
  facts: HomeAssistantFacts,
  needs: Extract<NeedsFact, { readonly type: 'needs.changed' }>,
): Partial<HomeAssistantFacts> {
  const { credential, revision, lifecycle, native: isNative } = needs;
  const watchesLifecycle = lifecycle && credential && !isNative;
  const isSame = isSameCredential(facts, needs);
  const staysKnown = isNative === facts.isNative && (isNative || (watchesLifecycle && isSame));
  return withReasons(facts, {
    credential,
    revision,
    watchesLifecycle,
    isNative,
    lifecycle: staysKnown ? facts.lifecycle : null,
    shared: isSame ? facts.shared : null,
  });
}

/** Replaces the topics of one watcher; an empty list removes it. */
export function takeWatch(
  facts: HomeAssistantFacts,
  { watcher, topics }: { readonly watcher: string; readonly topics: readonly Topic[] },
): Partial<HomeAssistantFacts> {
  const others = Object.entries(facts.watches).filter(([name]) => name !== watcher);
  const watches = Object.fromEntries(topics.length === 0 ? others : [...others, [watcher, topics] as const]);
  return withReasons(facts, { watches });
}

/** A request as a command for the connection. */
export const waitingOf = (request: Request): WaitingRequest =>
  request.type === 'home-assistant.read' ? { ...request, type: 'socket.read' } : { ...request, type: 'socket.sample' };

/** Replaces the waiting requests. */
export const takeRequests = (
  facts: HomeAssistantFacts,
  requests: readonly WaitingRequest[],
): Partial<HomeAssistantFacts> => withReasons(facts, { requests });

/** The outcome of a read. */
export const readOutcomeOf = ({
  reading,
}: Pick<Extract<ConnectionFact, { type: 'socket.answered' }>, 'reading'>): ReadOutcome =>
  reading === null ? { ok: false, reason: 'no-answer' } : { ok: true, reading };

/** Facts after the answer to a read, which is kept if it serves other callers too; that there was none, as well. */
export function afterAnswer(
  facts: HomeAssistantFacts,
  answer: Extract<ConnectionFact, { readonly type: 'socket.answered' }>,
): Partial<HomeAssistantFacts> {
  const answered = answeredBy(facts.requests, answer.requestId);
  return {
    ...takeRequests(
      facts,
      facts.requests.filter((request) => !answered.includes(request)),
    ),
    ...(answered.some(isKept) && { shared: readOutcomeOf(answer) }),
  };
}

/** The sample of one ping: a busy server is no loss (contract, "Health line", rule 8). */
function sampleOf({ answeredMs, otherFrames, at }: Extract<ConnectionFact, { type: 'socket.probed' }>): PathSample {
  if (answeredMs !== null) return { kind: 'round-trip', at, ms: answeredMs };
  return { kind: otherFrames ? 'server-failure' : 'network-failure', at };
}

/** Facts after one ping, whose sample is discarded while settling (rule 5). */
export function afterProbe(
  facts: HomeAssistantFacts,
  probe: Extract<ConnectionFact, { readonly type: 'socket.probed' }>,
): Partial<HomeAssistantFacts> {
  const sample = sampleOf(probe);
  return {
    samples: facts.settling ? [] : keepSample(facts.samples, sample),
    silent: sample.kind === 'network-failure' ? facts.silent + 1 : 0,
    missed: probe.answeredMs === null ? facts.missed + 1 : facts.missed,
    lastProbedAt: probe.at,
    ...(probe.answeredMs !== null && !facts.settling && { lastAnsweredAt: probe.at }),
  };
}

/** The sample of an end by its kind. An unanswered attempt does not count: only a ping is a probe. */
const failureKinds = { network: null, server: 'server-failure', auth: 'auth-failure' } as const;

/** Facts after a connection failed or ended; it is only measured once one was live. */
export function afterEnd(
  facts: HomeAssistantFacts,
  { code, at }: Pick<Extract<ConnectionFact, { readonly type: 'socket.ended' }>, 'code' | 'at'>,
): Partial<HomeAssistantFacts> {
  const kind = endKindOf(code);
  const counted = failureKinds[kind];
  return {
    failure: shownFailure(code),
    route: null,
    doubts: kind === 'auth' || facts.route !== null ? facts.doubts + 1 : facts.doubts,
    attempt: facts.attempt + 1,
    // A failed renewal does not make the refused token valid.
    needsNewToken: kind === 'auth' || facts.needsNewToken,
    samples:
      facts.settling || !facts.established || counted === null
        ? facts.samples
        : keepSample(facts.samples, { kind: counted, at }),
  };
}

/**
 * Resets what is measured once no connection is needed, as if it had never been live (contract, "Health line", rule 2).
 */
export const unheld: Partial<HomeAssistantFacts> = {
  established: false,
  samples: [],
  lastAnsweredAt: null,
  lastProbedAt: null,
  route: null,
  silent: 0,
  attempt: 0,
  needsNewToken: false,
  hearsEvents: false,
};

/** The lifecycle after a sign; null while restarts are not watched. Each way to Home Assistant has its own signs. */
export function afterSign(facts: HomeAssistantFacts, sign: LifecycleSign): Partial<HomeAssistantFacts> {
  const { lifecycle, isNative, watchesLifecycle, hearsEvents } = facts;
  if (!isNative && !watchesLifecycle) return { lifecycle: null };
  const counts = isNative ? countsOnNative(sign) : sign.type !== 'native';
  return { lifecycle: counts ? lifecycleAfter(lifecycle, sign, hearsEvents) : lifecycle };
}

/** Time after the start of the agent without a verdict (contract, "Limits"). */
export const SETTLE_MS: Milliseconds = 180_000;
