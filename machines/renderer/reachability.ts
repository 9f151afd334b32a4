import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { BrowserFact } from './events.ts';
import type { RendererFacts } from './facts.ts';

/**
 * How long a page may be disconnected from an unreachable Home Assistant before the offline page is shown, in
 * milliseconds: a short drop is not worth it.
 */
const GRACE_MS: Milliseconds = 6_000;
/**
 * How long a page may stay disconnected from a reachable Home Assistant before it counts as stale, in milliseconds: the
 * frontend retries at least every 5 s (seen with Home Assistant 2026.11).
 */
const STALE_MS: Milliseconds = 15_000;
/**
 * How long pings over an open socket may go unanswered before the socket counts as closed, in milliseconds: a server
 * that is busy for some seconds is not gone.
 */
const UNANSWERED_MS: Milliseconds = 10_000;
/**
 * Pauses after the first, second, ... failed load while Home Assistant answers probes, in milliseconds. With a probe
 * every 2 s the dashboard is back within 10 s.
 */
const PAUSES_MS: readonly Milliseconds[] = [0, 2_000, 4_000, 6_000];

/**
 * Absolute time between two moments, so that a clock that was set back acts too early rather than never: a load
 * recovers from the former.
 */
export const distance = (at: EpochMs, since: EpochMs): Milliseconds => Math.abs(at - since);

/** True if the page is connected, null if unknown: an open socket over which nothing comes does not count. */
export const isConnected = ({
  connected,
  unansweredMs,
}: Pick<Extract<BrowserFact, { type: 'page.probed' }>, 'connected' | 'unansweredMs'>): boolean | null =>
  connected === true && unansweredMs !== null && unansweredMs >= UNANSWERED_MS ? false : connected;

/** Judges a probe of Home Assistant for a page whose socket has been closed since `since`. */
export function judgeSilence(since: EpochMs, reachable: boolean, at: EpochMs): 'wait' | 'unreachable' | 'stale' {
  const lasted = distance(at, since);
  if (reachable) return lasted >= STALE_MS ? 'stale' : 'wait';
  return lasted >= GRACE_MS ? 'unreachable' : 'wait';
}

/**
 * True if Home Assistant may be loaded again at `at`. A `notBefore` further away than the longest pause means that the
 * clock was set back.
 */
export const pauseIsOver = (notBefore: EpochMs, at: EpochMs): boolean =>
  at >= notBefore || notBefore - at > Math.max(...PAUSES_MS);

/** The pause after this many failed loads in a row. */
export const loadPause = (failed: number): Milliseconds =>
  PAUSES_MS[Math.min(Math.max(0, failed - 1), PAUSES_MS.length - 1)] ?? 0;

/** Since when and why Home Assistant is unreachable. A certificate fault counts also while another load tries it. */
export const unreachableOf = ({
  unreachable,
  certificate,
}: Pick<RendererFacts, 'unreachable' | 'certificate'>): RendererFacts['unreachable'] => unreachable ?? certificate;
