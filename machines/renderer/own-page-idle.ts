import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { RendererFacts } from './facts.ts';
import { distance } from './reachability.ts';
import { isSignedIn } from './is-signed-in.ts';

/**
 * How long one of the panel's own pages may stay untouched before the dashboard, or the offline page, returns, in
 * milliseconds.
 */
const OWN_IDLE_MS: Milliseconds = 300_000;
/** The same while they hide the code for a phone that signs the panel in. */
const OVER_CODE_IDLE_MS: Milliseconds = 120_000;
/** The same for Home Assistant's login, which hides the code for a phone. */
const LOGIN_IDLE_MS: Milliseconds = 60_000;

function idleLimit({ place, credential }: Pick<RendererFacts, 'place' | 'credential'>): Milliseconds {
  if (place === 'login') return LOGIN_IDLE_MS;
  return isSignedIn(credential) ? OWN_IDLE_MS : OVER_CODE_IDLE_MS;
}

/** True if one of the panel's own pages, or the login that it led to, has been untouched for too long. */
export const ownPageIsIdle = (facts: Pick<RendererFacts, 'touchedAt' | 'place' | 'credential'>, at: EpochMs): boolean =>
  distance(at, facts.touchedAt) >= idleLimit(facts);
