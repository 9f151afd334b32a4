import type { EpochMs } from '../kit/units.ts';
import { certificateFaultOf } from '../kit/certificate.ts';
import { loadPause } from './reachability.ts';
import type { BrowserFact, UnreachableReason, SettledOutcome } from './events.ts';
import type { RendererFacts } from './facts.ts';
import { certificateSentences, ELSEWHERE } from './navigation.ts';
import { resetAttempt, noteTrigger } from './fallback.ts';
import { type Change, judged } from './transitions.ts';
import { homeOf } from './target.ts';

type Settled = Extract<BrowserFact, { type: 'page.settled' }>;

const messages: Partial<Readonly<Record<SettledOutcome, string>>> = {
  elsewhere: ELSEWHERE,
  timeout: 'The page did not open in time.',
  hung: 'A script on the page hung and was stopped.',
  unreachable: "Home Assistant isn't responding.",
  ...certificateSentences,
  'http-error': 'Home Assistant does not serve this page.',
  'not-ready': 'The dashboard did not accept the command; it is being reloaded.',
};

const navigation = (facts: RendererFacts, settled: Settled, outcome = settled.outcome): Change => ({
  lastNavigation: {
    outcome,
    refusal: null,
    message: messages[outcome] ?? null,
    origin: facts.pending?.origin ?? 'sconce',
    tookMs: settled.tookMs,
    at: settled.at,
  },
});

/** The dashboard is shown, after a load or a navigation. */
export function pageShown(facts: RendererFacts, settled: Settled): Change {
  const asked = facts.pending;
  const loaded = asked?.kind === 'load';
  const missesHome =
    settled.outcome === 'elsewhere' &&
    facts.desired !== null &&
    facts.desired.home !== '' &&
    asked?.path === facts.desired.home;
  // Home, loaded in place of a page that Home Assistant lacks, is not the page that was asked for.
  const stillMissing = loaded && facts.goal === null && facts.lastNavigation?.outcome === 'elsewhere';
  return judged(facts, {
    ...(stillMissing ? {} : navigation(facts, settled)),
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

/** Home Assistant has no such page: load home next, or the start page if home itself is missing. */
export const takeMissing = (facts: RendererFacts, settled: Settled): Change =>
  judged(facts, {
    ...navigation(facts, settled, 'elsewhere'),
    goal: null,
    homeMissing: facts.homeMissing || facts.pending?.path === homeOf(facts),
    everReached: true,
    certificate: null,
  });

/**
 * Marks Home Assistant unreachable since the socket closed, or else since now. Each failed load lengthens the pause
 * before the next.
 */
export function leave(facts: RendererFacts, reason: string, at: EpochMs, settled: Settled | null = null): Change {
  const failedLoads = facts.pending?.kind === 'load' ? facts.failedLoads + 1 : facts.failedLoads;
  const fault = certificateFaultOf(reason);
  // The same fault in another try continues the incident.
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

export const comeBack = (facts: RendererFacts): Change =>
  judged(facts, {
    unreachable: null,
    disconnectedSince: null,
    everReached: true,
    ...(facts.fallback === null || facts.fallback.trigger === null ? {} : resetAttempt(facts)),
  });

/** Updates the reason while Home Assistant stays unreachable. */
export const stayUnreachable = (facts: RendererFacts, reason: UnreachableReason | null): Change =>
  facts.unreachable === null || reason === null
    ? {}
    : { unreachable: { since: facts.unreachable.since, reason }, ...noteTrigger(facts, 'restarted') };
