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

/** Reasons that a page can be to blame for; a socket that stays closed is Home Assistant's fault. */
const ownFaults: ReadonlySet<RestartReason> = new Set(['crashed', 'hung', 'blank', 'killed', 'exited']);

/** True if the page itself is to blame: one that is blank without a connection is not. */
export const isPageFault = ({ probes }: Pick<RendererFacts, 'probes'>, reason: RestartReason): boolean =>
  ownFaults.has(reason) && !(reason === 'blank' && probes.at(-1)?.connected === false);

/** True if home, or its fallback, was the last page requested and has not been touched since. */
const isAskedHome = (facts: RendererFacts): boolean =>
  facts.asked !== null && (facts.asked === homeOf(facts) || facts.asked === homeInside(facts));

/** True if the home dashboard, or its fallback, is shown. All views of one dashboard count as one page. */
function isHome(facts: RendererFacts): boolean {
  const here = facts.asked ?? facts.path;
  if (here === null || isAskedHome(facts)) return true;
  return sectionOf(here) !== '' && sectionOf(here) === sectionOf(homeInside(facts));
}

const candidateOf = (facts: RendererFacts): Candidate =>
  isHome(facts) ? (facts.fallback?.page === 'start' ? 'start' : 'home') : 'other';

/** Records that a page failed, which was shown (`wasShown`) or still loading, and chooses the next step. */
export function recordFailure(
  facts: RendererFacts,
  reason: RestartReason,
  at: EpochMs,
  wasShown: boolean,
): Change & { readonly step: RecoveryStep } {
  const of = candidateOf(facts);
  const home = homeOf({ ...facts, fallback: null });
  const { step, failureStreak } = afterFailure(facts.failureStreak, {
    of,
    reason,
    wasShown,
    homeIsStart: home === '/' || home === facts.startPath,
  });
  const shared = { failureStreak, wellSince: null } as const;
  switch (step) {
    case 'unhang':
      return { ...shared, step };
    case 'load':
      // Retry the original home path, not the path it redirected to.
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
 * Tracks since when the page is drawn and answers; after `STAYED_MS` the streak ends. A frozen page does not count,
 * since nothing in it runs that could fail.
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

/** Facts at the start of a new try. The page shown by a fallback is not one to return to, so its path is dropped. */
export const resetAttempt = ({ fallback, goal }: Pick<RendererFacts, 'fallback' | 'goal'>) => ({
  fallback: null,
  failureStreak: noFailures,
  goal: fallback === null ? goal : null,
});

/** Notes a reason to retry home; `asked` is never replaced by a weaker one. */
export const noteTrigger = (
  { fallback }: Pick<RendererFacts, 'fallback'>,
  trigger: RetryTrigger,
): Pick<RendererFacts, 'fallback'> => ({
  fallback: fallback === null || fallback.trigger === 'asked' ? fallback : { ...fallback, trigger },
});

export const isTryDue = ({ fallback, at, touchedAt }: RendererFacts): boolean =>
  fallback !== null && triesAgain(fallback, at, touchedAt);

/** True if the offline page replaces a dashboard that could be loaded, so that a command tries it again. */
export const isHeldBack = ({ fallback }: Pick<RendererFacts, 'fallback'>): boolean => fallback?.page === 'calm';

/** The dashboard whose changes to watch, as the first segment of its path; null while no fallback is shown. */
export const dashboardToWatch = (facts: RendererFacts): string | null =>
  facts.fallback === null ? null : sectionOf(homeInside({ ...facts, fallback: null }));

/** Facts about failures and retries. */
export interface FailureFacts {
  readonly failureStreak: FailureStreak;
  /** Since when the loaded page has been drawn and has answered; null if it does not. */
  readonly wellSince: EpochMs | null;
  /** Path of the last load or navigation; null once the page was touched, which may navigate by itself. */
  readonly asked: string | null;
}
