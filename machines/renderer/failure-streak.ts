import type { EpochMs, Milliseconds } from '../kit/units.ts';
import { distance } from './reachability.ts';
import type { RestartReason } from './events.ts';

/**
 * Failed attempts in a row after which another page is shown. The first failure may be chance, the second may come from
 * the state of the browser, so the third attempt gets a new browser.
 */
export const MAX_ATTEMPTS = 3;
/**
 * How long a page must be drawn and answer to end the streak, in milliseconds. Trouble within two minutes is one
 * incident (`INCIDENT_MS`), and a page that runs for longer is usable.
 */
export const STAYED_MS: Milliseconds = 120_000;
/**
 * How long a fallback is shown before home is retried, in milliseconds: hangs rarely clear up, and each retry occupies
 * the screen for 1 to 2 minutes.
 */
export const RETRY_MS: Milliseconds = 3_600_000;
/** How long the fallback must be untouched before a retry replaces it, in milliseconds. */
export const UNTOUCHED_MS: Milliseconds = 60_000;

/** Role of a page: one that was navigated to, home, or Home Assistant's start page as the fallback for home. */
export type Candidate = 'other' | 'home' | 'start';

/** Failed attempts of one page in a row. */
export interface FailureStreak {
  readonly of: Candidate;
  /** 0 to `MAX_ATTEMPTS` - 1. */
  readonly failed: number;
  /** True if its hanging script was already terminated once, with the page left open. */
  readonly unhung: boolean;
}

export const noFailures: FailureStreak = { of: 'home', failed: 0, unhung: false };

/** The response to a page in trouble. */
export type FailureStep =
  /** Terminate its hanging script; the page stays. */
  | 'unhang'
  /** Reload it. */
  | 'load'
  /** Reload it in a new browser. */
  | 'restart'
  /** Show another page in a new browser: home, Home Assistant's start page, or the panel's offline page (`calm`). */
  | 'home'
  | 'start'
  | 'calm';

export interface Failure {
  readonly of: Candidate;
  readonly reason: RestartReason;
  /** True if the page was shown; a script that hangs during the load leaves half a page. */
  readonly wasShown: boolean;
  /** True if home is Home Assistant's start page, which then cannot replace it. */
  readonly homeIsStart: boolean;
}

/** The page to show after one that failed in all its attempts. */
function after(of: Candidate, homeIsStart: boolean): FailureStep {
  if (of === 'other') return 'home';
  return of === 'home' && !homeIsStart ? 'start' : 'calm';
}

/**
 * Chooses the next step for a page that failed, and updates the streak. A page that was navigated to has one attempt
 * less, since home can replace it.
 */
export function afterFailure(
  failureStreak: FailureStreak,
  { of, reason, wasShown, homeIsStart }: Failure,
): { readonly step: FailureStep; readonly failureStreak: FailureStreak } {
  const before = failureStreak.of === of ? failureStreak : { ...noFailures, of };
  if (reason === 'hung' && wasShown && before.failed === 0 && !before.unhung)
    return { step: 'unhang', failureStreak: { ...before, unhung: true } };
  const failed = before.failed + 1;
  if (failed >= (of === 'other' ? MAX_ATTEMPTS - 1 : MAX_ATTEMPTS))
    return { step: after(of, homeIsStart), failureStreak: noFailures };
  return { step: failed === MAX_ATTEMPTS - 1 ? 'restart' : 'load', failureStreak: { of, failed, unhung: true } };
}

/** An event after which a fallback gives way to another try of home. */
export type RetryTrigger =
  /** A command, or a changed setting or sign-in. */
  | 'asked'
  /** Home Assistant restarted: its frontend and its cards may have changed. */
  | 'restarted'
  /** The dashboard was changed. */
  | 'changed';

/** The page shown instead of home. */
export interface FallbackPage {
  readonly page: 'start' | 'calm';
  readonly since: EpochMs;
  /** Why the last attempt of home failed. */
  readonly reason: RestartReason;
  readonly trigger: RetryTrigger | null;
}

/** True if home is retried now. While the start page is in use, only `asked` interrupts it. */
export function triesAgain({ page, since, trigger }: FallbackPage, at: EpochMs, touchedAt: EpochMs): boolean {
  if (trigger === 'asked') return true;
  if (page === 'start' && distance(at, touchedAt) < UNTOUCHED_MS) return false;
  return trigger !== null || distance(at, since) >= RETRY_MS;
}
