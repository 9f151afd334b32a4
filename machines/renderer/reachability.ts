import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { BrowserFact } from './events.ts';
import type { RendererFacts } from './facts.ts';

/**
 * How long a page may be disconnected while Home Assistant does not answer before the offline page is shown, in
 * milliseconds: a short drop is not worth it.
 */
const GRACE_MS: Milliseconds = 6_000;
/**
 * How long a page may stay disconnected although Home Assistant answers: its own retries are at most 5 s apart
 * (seen with Home Assistant 2026.11).
 */
const STALE_MS: Milliseconds = 15_000;
/**
 * How long Home Assistant may leave the pings over an open socket unanswered before it counts as closed: a server that
 * is busy for some seconds is not gone.
 */
const UNANSWERED_MS: Milliseconds = 10_000;
/**
 * Pauses after the first, second, ... load that failed although Home Assistant answered; with a probe every two seconds
 * it is back within ten.
 */
const PAUSES_MS: readonly Milliseconds[] = [0, 2_000, 4_000, 6_000];

/**
 * Time between two moments. A clock that was set back counts like one set ahead: too early is recovered from by a load,
 * too late by nobody.
 */
export const distance = (at: EpochMs, since: EpochMs): Milliseconds => Math.abs(at - since);

/**
 * Whether the page is connected, null where unknown: a socket that says it is open while nothing comes over it is not.
 */
export const isConnected = ({
  connected,
  unansweredMs,
}: Pick<Extract<BrowserFact, { type: 'page.probed' }>, 'connected' | 'unansweredMs'>): boolean | null =>
  connected === true && unansweredMs !== null && unansweredMs >= UNANSWERED_MS ? false : connected;

/** What a probe of Home Assistant means for a page whose socket is closed since `since`. */
export function judgeSilence(since: EpochMs, reachable: boolean, at: EpochMs): 'wait' | 'unreachable' | 'stale' {
  const lasted = distance(at, since);
  if (reachable) return lasted >= STALE_MS ? 'stale' : 'wait';
  return lasted >= GRACE_MS ? 'unreachable' : 'wait';
}

/**
 * Whether a Home Assistant that is to be left alone until `notBefore` may be loaded; further off than the longest pause
 * is only a clock that was set back.
 */
export const pauseIsOver = (notBefore: EpochMs, at: EpochMs): boolean =>
  at >= notBefore || notBefore - at > Math.max(...PAUSES_MS);

/** How long after its `failed`th failure in a row Home Assistant is left alone. */
export const loadPause = (failed: number): Milliseconds =>
  PAUSES_MS[Math.min(Math.max(0, failed - 1), PAUSES_MS.length - 1)] ?? 0;

/** Since when and why Home Assistant is unreachable; for its certificate also while another load tries it. */
export const unreachableOf = ({
  unreachable,
  certificate,
}: Pick<RendererFacts, 'unreachable' | 'certificate'>): RendererFacts['unreachable'] => unreachable ?? certificate;
