import type { EpochMs, Milliseconds } from '../kit/units.ts';
import { distance } from './away.ts';
import type { RestartReason } from './events.ts';

/**
 * Rounds in a row in which a page did not stay healthy, after which another one is shown: the first may be chance, the
 * second what the page found in its browser, so that the third has a browser of its own.
 */
export const ROUNDS = 3;
/**
 * How long a page is drawn and answers until the rounds before count no more, in milliseconds: trouble within two
 * minutes is one story (`STORY_MS`), and a page that stands longer than that can be used.
 */
export const STAYED_MS: Milliseconds = 120_000;
/**
 * How long another page stands for home until home is tried again by itself, in milliseconds: what makes a dashboard
 * hang seldom goes by itself, and each try takes the glass for one to two minutes.
 */
export const RETRY_MS: Milliseconds = 3_600_000;
/** How long nobody may have touched a page that is taken away for a try, in milliseconds. */
export const UNTOUCHED_MS: Milliseconds = 60_000;

/** What a page is to the panel: one that was gone to, home, or Home Assistant's start page in the place of home. */
export type Candidate = 'other' | 'home' | 'start';

/** The rounds of one page in a row that did not stay healthy. */
export interface Rounds {
  readonly of: Candidate;
  /** 0 to `ROUNDS` - 1. */
  readonly failed: number;
  /** Whether a hanging script of it was ended already, and the page left as it was. */
  readonly unhung: boolean;
}

/** Nothing failed yet. */
export const noRounds: Rounds = { of: 'home', failed: 0, unhung: false };

/** What is done about a page in trouble. */
export type RoundStep =
  /** Its hanging script is ended; the page stays. */
  | 'unhang'
  /** It is loaded again. */
  | 'load'
  /** It is loaded again in a browser of its own. */
  | 'relaunch'
  /** Another page is shown, in a browser of its own: home, Home Assistant's start page, the panel's own calm page. */
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

/** The page that follows one that failed in all its rounds. */
const after = (of: Candidate, homeIsStart: boolean): RoundStep => {
  if (of === 'other') return 'home';
  return of === 'home' && !homeIsStart ? 'start' : 'calm';
};

/**
 * What to do about a page that did not stay healthy, and the rounds from now on. A page that was gone to has one round
 * less: home is where it is left for.
 */
export const nextRound = (
  rounds: Rounds,
  { of, reason, stood, homeIsStart }: Failure,
): { readonly step: RoundStep; readonly rounds: Rounds } => {
  const before = rounds.of === of ? rounds : { ...noRounds, of };
  if (reason === 'hung' && stood && before.failed === 0 && !before.unhung)
    return { step: 'unhang', rounds: { ...before, unhung: true } };
  const failed = before.failed + 1;
  if (failed >= (of === 'other' ? ROUNDS - 1 : ROUNDS)) return { step: after(of, homeIsStart), rounds: noRounds };
  return { step: failed === ROUNDS - 1 ? 'relaunch' : 'load', rounds: { of, failed, unhung: true } };
};

/** What happened since another page stands for home, for which home is tried again. */
export type News =
  /** Somebody asked for it, or changed a setting. */
  | 'asked'
  /** Home Assistant started again: its frontend and its cards may be others. */
  | 'restarted'
  /** A dashboard was changed. */
  | 'changed';

/** The page that stands for home. */
export interface StandIn {
  readonly page: 'start' | 'calm';
  readonly since: EpochMs;
  /** Why the last round before it failed. */
  readonly reason: RestartReason;
  readonly news: News | null;
}

/** Whether home is tried again now; nobody who touches the page in its place is disturbed for what they did not ask. */
export const triesAgain = ({ page, since, news }: StandIn, at: EpochMs, touchedAt: EpochMs): boolean => {
  if (news === 'asked') return true;
  if (page === 'start' && distance(at, touchedAt) < UNTOUCHED_MS) return false;
  return news !== null || distance(at, since) >= RETRY_MS;
};
