import type { Milliseconds } from '../kit/units.ts';

/** An access token and the end of its validity on a clock that nobody sets. It never enters a context. */
export interface AccessToken {
  readonly token: string;
  readonly expiresAt: Milliseconds;
}

/** A token is renewed this long before it ends, in milliseconds, so that nobody is given one about to end. */
export const RENEW_BEFORE_MS = 300_000;
/** Shortest rest for which a token is still handed out while the platform cannot be reached. */
const LAST_RESORT_MS = 30_000;
/** What a page is told of a long-lived token: ten years, in seconds; it does not ask again. */
export const LONG_LIVED_SECONDS = 315_360_000;

/** Whether a token can be handed out as it is; one that was just refused (`force`) never is. */
export const isFresh = (token: AccessToken, now: Milliseconds, force: boolean): boolean =>
  !force && token.expiresAt - now >= RENEW_BEFORE_MS;

/** Whether a token that could not be renewed is better than none. */
export const isLastResort = (token: AccessToken, now: Milliseconds, force: boolean): boolean =>
  !force && token.expiresAt - now >= LAST_RESORT_MS;

/** Whole seconds that a token is valid for. */
export const secondsLeft = (token: AccessToken, now: Milliseconds): number =>
  Math.max(0, Math.floor((token.expiresAt - now) / 1000));

/** When a token is to be renewed, in milliseconds from now; a short-lived one after half its time. */
export const renewIn = (token: AccessToken, now: Milliseconds): Milliseconds => {
  const left = token.expiresAt - now;
  return Math.max(1000, left - RENEW_BEFORE_MS, Math.floor(left / 2));
};
