import { shownFailure } from '../kit/certificate.ts';
import type { Milliseconds } from '../kit/units.ts';
import { endKindOf } from './end-kind.ts';
import type {
  ConnectionCommand,
  ConnectionFact,
  HomeAssistantContext,
  HomeAssistantEvent,
  NeedsFact,
  Topic,
} from './events.ts';
import { type LifecycleSign, lifecycleAfter } from './lifecycle.ts';
import { keepSample, type PathSample } from './network.ts';
import { reasonsOf, REQUESTS } from './topics.ts';

/** What is asked of Home Assistant once. */
export type Request = Extract<HomeAssistantEvent, { readonly requestId: string }>;
/** A request that waits for its answer, as it is given to the connection. */
export type WaitingRequest = Extract<ConnectionCommand, { readonly requestId: string }>;

/** Facts of the machine: what it shows, and what it works on. */
export interface HomeAssistantFacts extends HomeAssistantContext {
  /** Number of the attempt. */
  readonly generation: number;
  /** Failed and lost connections in a row; 0 once one has held. */
  readonly attempt: number;
  readonly credential: boolean;
  readonly revision: number;
  /** True if restarts are watched for the built-in renderer. */
  readonly watchesLifecycle: boolean;
  readonly watches: Readonly<Record<string, readonly Topic[]>>;
  readonly requests: readonly WaitingRequest[];
  /** True if a token was refused and no newer one was let in since: then a new one is asked for. */
  readonly needsNewToken: boolean;
  /** True if Home Assistant tells this account of its events. */
  readonly hearsEvents: boolean;
  /** Pings in a row without an answer and without any other frame. */
  readonly silent: number;
  /** True if it is known what was kept of a Home Assistant that sent too much. */
  readonly isRecalled: boolean;
  /** How long after the start no verdict is formed. */
  readonly settleMs: Milliseconds;
}

/** The facts at the start; `settleMs` is what is left of the settling (contract, "Health line", rule 5). */
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
  watches: {},
  requests: [],
  needsNewToken: false,
  hearsEvents: false,
  silent: 0,
  settleMs,
});

/** Facts with the reasons that follow from them. */
function withReasons(facts: HomeAssistantFacts, changed: Partial<HomeAssistantFacts>): Partial<HomeAssistantFacts> {
  const { watchesLifecycle, watches, requests } = { ...facts, ...changed };
  return { ...changed, reasons: reasonsOf({ lifecycle: watchesLifecycle, watches, requests: requests.length }) };
}

/** True if others need the same as before: the same credential for the same Home Assistant. */
export const isSameCredential = (
  facts: Pick<HomeAssistantFacts, 'credential' | 'revision'>,
  needs: Extract<NeedsFact, { readonly type: 'needs.changed' }>,
): boolean => facts.revision === needs.revision && facts.credential === needs.credential;

/**
 * What others need, as it is now. Without the built-in renderer or a credential nothing is said of restarts; with the
 * beginning of both, and with another credential, nothing is until Home Assistant has answered.
 */
export function takeNeeds(
  facts: HomeAssistantFacts,
  needs: Extract<NeedsFact, { readonly type: 'needs.changed' }>,
): Partial<HomeAssistantFacts> {
  const { credential, revision, lifecycle } = needs;
  const watchesLifecycle = lifecycle && credential;
  const known = isSameCredential(facts, needs) ? facts.lifecycle : null;
  return withReasons(facts, {
    credential,
    revision,
    watchesLifecycle,
    lifecycle: watchesLifecycle ? known : null,
  });
}

/** What one watcher wants from now on; an empty list takes it from the list. */
export function takeWatch(
  facts: HomeAssistantFacts,
  { watcher, topics }: { readonly watcher: string; readonly topics: readonly Topic[] },
): Partial<HomeAssistantFacts> {
  const others = Object.entries(facts.watches).filter(([name]) => name !== watcher);
  const watches = Object.fromEntries(topics.length === 0 ? others : [...others, [watcher, topics] as const]);
  return withReasons(facts, { watches });
}

/** A request as it is given to the connection. */
export const waitingOf = (request: Request): WaitingRequest =>
  request.type === 'home-assistant.read' ? { ...request, type: 'socket.read' } : { ...request, type: 'socket.sample' };

/** True if one more may wait; of two samples each would count in the other's traffic. */
export const hasCapacityFor = ({ requests }: Pick<HomeAssistantFacts, 'requests'>, { type }: Request): boolean =>
  requests.length < REQUESTS &&
  (type !== 'home-assistant.sample' || requests.every((waiting) => waiting.type !== 'socket.sample'));

/** The requests that wait, with one more or fewer. */
export const takeRequests = (
  facts: HomeAssistantFacts,
  requests: readonly WaitingRequest[],
): Partial<HomeAssistantFacts> => withReasons(facts, { requests });

/** What one ping says of the path: a busy server is no loss (contract, "Health line", rule 8). */
function sampleOf({ answeredMs, otherFrames, at }: Extract<ConnectionFact, { type: 'socket.probed' }>): PathSample {
  if (answeredMs !== null) return { kind: 'round-trip', at, ms: answeredMs };
  return { kind: otherFrames ? 'server-failure' : 'network-failure', at };
}

/** Facts after one ping, which is discarded while the panel settles (rule 5). */
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

/** What the end of a connection counts as. One that nothing answered counts nowhere: only a ping is a probe. */
const failureKinds = { network: null, server: 'server-failure', auth: 'auth-failure' } as const;

/** Facts after a connection that was not made, or ended; only one that was live before is measured. */
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
    // A renewal that fails does not make the refused token a good one.
    needsNewToken: kind === 'auth' || facts.needsNewToken,
    samples:
      facts.settling || !facts.established || counted === null
        ? facts.samples
        : keepSample(facts.samples, { kind: counted, at }),
  };
}

/** What is forgotten once nothing holds a connection: it was never live then (contract, "Health line", rule 2). */
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

/** The lifecycle after a sign of it; nothing is said of it while restarts are not watched. */
export const afterSign = (facts: HomeAssistantFacts, sign: LifecycleSign): Partial<HomeAssistantFacts> => ({
  lifecycle: facts.watchesLifecycle ? lifecycleAfter(facts.lifecycle, sign, facts.hearsEvents) : null,
});

/** No verdict is formed for so long after the start of the agent (contract, "Limits"). */
export const SETTLE_MS: Milliseconds = 180_000;
