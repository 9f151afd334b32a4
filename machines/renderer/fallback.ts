import { sectionOf } from '../kit/home-path.ts';
import type { EpochMs } from '../kit/units.ts';
import type { BrowserFact, RestartReason } from './events.ts';
import type { RendererFacts } from './facts.ts';
import type { RecoveryStep } from './recovery.ts';
import {
  type Candidate,
  type RetryTrigger,
  afterFailure,
  noFailures,
  type FailureStreak,
  STAYED_MS,
  triesAgain,
} from './failure-streak.ts';
import { homeInside, homeOf } from './target.ts';

type Change = Partial<RendererFacts>;
type PageProbeFact = Extract<BrowserFact, { type: 'page.probed' }>;

/** Troubles that are the page's own: a socket that stays closed is Home Assistant's. */
const ownFaults: ReadonlySet<RestartReason> = new Set(['crashed', 'hung', 'blank', 'killed', 'exited']);

/** Whether a page is to blame for what happened to it. */
export const isPageFault = ({ probes }: Pick<RendererFacts, 'probes'>, reason: RestartReason): boolean =>
  ownFaults.has(reason) && !(reason === 'blank' && probes.at(-1)?.connected === false);

/** Whether home, or what stands for it, was asked for, and nobody touched it since. */
const isAskedHome = (facts: RendererFacts): boolean =>
  facts.asked !== null && (facts.asked === homeOf(facts) || facts.asked === homeInside(facts));

/** Whether home stands there, or what stands for it; all views of its dashboard count for one page. */
function isHome(facts: RendererFacts): boolean {
  const here = facts.asked ?? facts.path;
  if (here === null || isAskedHome(facts)) return true;
  return sectionOf(here) !== '' && sectionOf(here) === sectionOf(homeInside(facts));
}

const candidateOf = (facts: RendererFacts): Candidate =>
  isHome(facts) ? (facts.fallback?.page === 'start' ? 'start' : 'home') : 'other';

/** A page did not stay healthy, which `stood` before or was being loaded: what is done and remembered about it. */
export function recordFailure(
  facts: RendererFacts,
  reason: RestartReason,
  at: EpochMs,
  stood: boolean,
): Change & { readonly step: RecoveryStep } {
  const of = candidateOf(facts);
  const home = homeOf({ ...facts, fallback: null });
  const { step, failureStreak } = afterFailure(facts.failureStreak, {
    of,
    reason,
    stood,
    homeIsStart: home === '/' || home === facts.startPath,
  });
  const shared = { failureStreak, wellSince: null } as const;
  switch (step) {
    case 'unhang':
      return { ...shared, step };
    case 'load':
      // What was asked for as home is asked for again, whereto it led.
      return { ...shared, step, goal: isAskedHome(facts) ? null : facts.goal };
    case 'restart':
    case 'home':
      return { ...shared, step: 'restart', goal: null };
    case 'start':
    case 'calm':
      return { ...shared, step: 'restart', goal: null, fallback: { page: step, since: at, reason, trigger: null } };
  }
}

/**
 * Since when the page is drawn and answers; once it has for long, no attempt before counts. A frozen page runs nothing
 * that could fail.
 */
export function stayWell(
  facts: RendererFacts,
  { at, answeredMs, showing, place }: PageProbeFact,
): Pick<RendererFacts, 'wellSince' | 'failureStreak'> {
  const { wellSince, failureStreak } = facts;
  if (facts.frozen) return { wellSince, failureStreak };
  const isWell = answeredMs !== null && showing !== false && place === 'dashboard';
  if (wellSince === null) return { wellSince: isWell ? at : null, failureStreak };
  return { wellSince, failureStreak: isWell && at - wellSince >= STAYED_MS ? noFailures : failureStreak };
}

/** What a fresh try begins with; what was shown in the place of home is no page that somebody wants back. */
export const resetAttempt = ({ fallback, goal }: Pick<RendererFacts, 'fallback' | 'goal'>) => ({
  fallback: null,
  failureStreak: noFailures,
  goal: fallback === null ? goal : null,
});

/** Something happened for which home is tried again. */
export const noteTrigger = (
  { fallback }: Pick<RendererFacts, 'fallback'>,
  trigger: RetryTrigger,
): Pick<RendererFacts, 'fallback'> => ({
  fallback: fallback === null || fallback.trigger === 'asked' ? fallback : { ...fallback, trigger },
});

/** Whether home is tried again now. */
export const isTryDue = ({ fallback, at, touchedAt }: RendererFacts): boolean =>
  fallback !== null && triesAgain(fallback, at, touchedAt);

/** Whether the offline page stands for a dashboard that could be loaded: then a command tries it again. */
export const isHeldBack = ({ fallback }: Pick<RendererFacts, 'fallback'>): boolean => fallback?.page === 'calm';

/** The dashboard whose changes are of interest, by the first part of its path; null while none stands for it. */
export const dashboardToWatch = (facts: RendererFacts): string | null =>
  facts.fallback === null ? null : sectionOf(homeInside({ ...facts, fallback: null }));

/** What is remembered of attempts. */
export interface FailureFacts {
  readonly failureStreak: FailureStreak;
  /** Since when the page that was loaded is drawn and answers; null before. */
  readonly wellSince: EpochMs | null;
  /** Path that was loaded or gone to last; null once the page was touched, which may lead elsewhere. */
  readonly asked: string | null;
}
