import type { EpochMs } from '../kit/units.ts';
import { certificateFaultOf } from '../kit/certificate.ts';
import { loadPause } from './reachability.ts';
import type { BrowserFact, UnreachableReason, SettledOutcome } from './events.ts';
import type { RendererFacts } from './facts.ts';
import { certificateSentences } from './navigation.ts';
import { resetAttempt, noteTrigger } from './fallback.ts';
import { type Change, judged } from './transitions.ts';
import { homeOf } from './target.ts';

type Settled = Extract<BrowserFact, { type: 'page.settled' }>;

const messages: Partial<Readonly<Record<SettledOutcome, string>>> = {
  elsewhere: 'Home Assistant opened another page: there is no such dashboard, or this user may not see it.',
  timeout: 'The page did not open in time.',
  hung: 'The script of the page hung; it was ended.',
  unreachable: 'Home Assistant does not answer.',
  ...certificateSentences,
  'http-error': 'Home Assistant does not serve this page.',
  'not-ready': 'The dashboard did not take the command; it is loaded anew.',
};

const navigation = (facts: RendererFacts, settled: Settled): Change => ({
  lastNavigation: {
    outcome: settled.outcome,
    refusal: null,
    message: messages[settled.outcome] ?? null,
    origin: facts.pending?.origin ?? 'sconce',
    tookMs: settled.tookMs,
    at: settled.at,
  },
});

/** The dashboard stands, loaded or navigated. */
export function pageShown(facts: RendererFacts, settled: Settled): Change {
  const asked = facts.pending;
  const loaded = asked?.kind === 'load';
  const missesHome =
    settled.outcome === 'elsewhere' &&
    facts.desired !== null &&
    facts.desired.home !== '' &&
    asked?.path === facts.desired.home;
  return judged(facts, {
    ...navigation(facts, settled),
    pending: null,
    path: settled.path ?? asked?.path ?? null,
    goal: settled.outcome === 'elsewhere' ? null : (asked?.path ?? null),
    landing: loaded ? asked.path : null,
    homeMissing:
      missesHome || (facts.homeMissing && !(settled.outcome === 'shown' && asked?.path === facts.desired?.home)),
    place: 'dashboard',
    everReached: true,
    certificate: null,
    ...(loaded ? { failedLoads: 0, memory: { loadedAt: settled.at, baseBytes: null } } : {}),
  });
}

/**
 * Home Assistant has no such page: the next load is that of home, or of the start page where it was home that is
 * missing.
 */
export const takeMissing = (facts: RendererFacts, settled: Settled): Change =>
  judged(facts, {
    ...navigation(facts, settled),
    goal: null,
    homeMissing: facts.homeMissing || facts.pending?.path === homeOf(facts),
    everReached: true,
    certificate: null,
  });

/** Home Assistant is unreachable since the socket closed, else since now; the next load waits longer each time. */
export function leave(facts: RendererFacts, reason: string, at: EpochMs, settled: Settled | null = null): Change {
  const failedLoads = facts.pending?.kind === 'load' ? facts.failedLoads + 1 : facts.failedLoads;
  const fault = certificateFaultOf(reason);
  // The same fault of a further try goes on, and is no new one.
  const certificate =
    fault === null ? null : { since: facts.certificate?.since ?? facts.disconnectedSince ?? at, reason: fault };
  return judged(facts, {
    ...(settled === null ? {} : navigation(facts, settled)),
    certificate,
    unreachable: facts.unreachable ?? certificate ?? { since: facts.disconnectedSince ?? at, reason },
    failedLoads,
    notBefore: at + loadPause(failedLoads),
    pending: null,
  });
}

/** Home Assistant is back. */
export const comeBack = (facts: RendererFacts): Change =>
  judged(facts, {
    unreachable: null,
    disconnectedSince: null,
    everReached: true,
    ...(facts.fallback === null || facts.fallback.trigger === null ? {} : resetAttempt(facts)),
  });

/** Another reason for which Home Assistant is still away. */
export const stayUnreachable = (facts: RendererFacts, reason: UnreachableReason | null): Change =>
  facts.unreachable === null || reason === null
    ? {}
    : { unreachable: { since: facts.unreachable.since, reason }, ...noteTrigger(facts, 'restarted') };
