import type { EpochMs, Milliseconds } from '../kit/units.ts';
import { distance } from './reachability.ts';
import type { RestartReason } from './events.ts';

/**
 * Attempts in a row in which a page did not stay healthy, after which another one is shown: the first may be chance,
 * the
 * second what the page found in its browser, so that the third has a browser of its own.
 */
export const MAX_ATTEMPTS = 3;
/**
 * How long a page is drawn and answers until the attempts before count no more, in milliseconds: trouble within two
 * minutes is one incident (`INCIDENT_MS`), and a page that stands longer than that can be used.
 */
export const STAYED_MS: Milliseconds = 120_000;
/**
 * How long another page stands for home until home is tried again by itself, in milliseconds: what makes a dashboard
 * hang seldom goes by itself, and each try takes the screen for one to two minutes.
 */
export const RETRY_MS: Milliseconds = 3_600_000;
/** How long nobody may have touched a page that is taken away for a try, in milliseconds. */
export const UNTOUCHED_MS: Milliseconds = 60_000;

/** What a page is to the panel: one that was gone to, home, or Home Assistant's start page in the place of home. */
export type Candidate = 'other' | 'home' | 'start';

/** The attempts of one page in a row that did not stay healthy. */
export interface FailureStreak {
  readonly of: Candidate;
  /** 0 to `Attempts` - 1. */
  readonly failed: number;
  /** Whether a hanging script of it was ended already, and the page left as it was. */
  readonly unhung: boolean;
}

/** Nothing failed yet. */
export const noFailures: FailureStreak = { of: 'home', failed: 0, unhung: false };

/** What is done about a page in trouble. */
export type FailureStep =
  /** Its hanging script is ended; the page stays. */
  | 'unhang'
  /** It is loaded again. */
  | 'load'
  /** It is loaded again in a browser of its own. */
  | 'restart'
  /**
   * Another page is shown, in a browser of its own: home, Home Assistant's start page, the panel's own offline page.
   */
  | 'home'
  | 'start'
  | 'calm';

/** A page that did not stay healthy. */
export interface Failure {
  readonly of: Candidate;
  readonly reason: RestartReason;
  /** Whether it stood before; a script that hangs while the page is loaded leaves half a page. */
  readonly stood: boolean;
  /** Whether home is Home Assistant's start page, so that this would be the same page again. */
  readonly homeIsStart: boolean;
}

/** The page that follows one that failed in all its attempts. */
function after(of: Candidate, homeIsStart: boolean): FailureStep {
  if (of === 'other') return 'home';
  return of === 'home' && !homeIsStart ? 'start' : 'calm';
}

/**
 * What to do about a page that did not stay healthy, and the attempts from now on. A page that was gone to has one
 * attempt less: home is where it is left for.
 */
export function afterFailure(
  failureStreak: FailureStreak,
  { of, reason, stood, homeIsStart }: Failure,
): { readonly step: FailureStep; readonly failureStreak: FailureStreak } {
  const before = failureStreak.of === of ? failureStreak : { ...noFailures, of };
  if (reason === 'hung' && stood && before.failed === 0 && !before.unhung)
    return { step: 'unhang', failureStreak: { ...before, unhung: true } };
  const failed = before.failed + 1;
  if (failed >= (of === 'other' ? MAX_ATTEMPTS - 1 : MAX_ATTEMPTS))
    return { step: after(of, homeIsStart), failureStreak: noFailures };
  return { step: failed === MAX_ATTEMPTS - 1 ? 'restart' : 'load', failureStreak: { of, failed, unhung: true } };
}

/** What happened since another page stands for home, for which home is tried again. */
export type RetryTrigger =
  /** Somebody asked for it, or changed a setting. */
  | 'asked'
  /** Home Assistant started again: its frontend and its cards may be others. */
  | 'restarted'
  /** A dashboard was changed. */
  | 'changed';

/** The page that stands for home. */
export interface FallbackPage {
  readonly page: 'start' | 'calm';
  readonly since: EpochMs;
  /** Why the last attempt before it failed. */
  readonly reason: RestartReason;
  readonly trigger: RetryTrigger | null;
}

/** Whether home is tried again now; nobody who touches the page in its place is disturbed for what they did not ask. */
export function triesAgain({ page, since, trigger }: FallbackPage, at: EpochMs, touchedAt: EpochMs): boolean {
  if (trigger === 'asked') return true;
  if (page === 'start' && distance(at, touchedAt) < UNTOUCHED_MS) return false;
  return trigger !== null || distance(at, since) >= RETRY_MS;
}
