import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { RendererContext, RestartReason } from './events.ts';

/** Responses to trouble, the gentlest first. */
export type RecoveryStep = 'unhang' | 'load' | 'restart';

type Restarts = RendererContext['restarts'];

/** Number of restarts kept. */
const KEPT = 20;
/** Trouble within this time is one incident, in which each step is stronger than the last; in milliseconds. */
export const INCIDENT_MS: Milliseconds = 120_000;
/** Trouble within this time lengthens the pause before the next try, in milliseconds. */
const SLOWING_MS: Milliseconds = 600_000;
/**
 * Pauses before the first, second, ... try within `SLOWING_MS`, in milliseconds; the last one repeats. The first two
 * are immediate, so that the dashboard is back within 10 s.
 */
const PAUSES_MS: readonly Milliseconds[] = [0, 0, 2_000, 5_000, 15_000, 30_000, 60_000];
/** Number of troubles within `SLOWING_MS` at which the owner is notified. */
const KEEPS_FAILING = 5;

/** Unplanned restarts. */
const troubles: ReadonlySet<RestartReason> = new Set([
  'crashed',
  'hung',
  'killed',
  'exited',
  'stale',
  'blank',
  'start-timeout',
  'memory',
]);

/** Reasons of a browser that ended by itself. */
const ends: ReadonlySet<RestartReason> = new Set(['killed', 'exited', 'start-timeout']);

/** Trouble that is not the page's fault: its socket stays closed although Home Assistant answers. */
const waits: ReadonlySet<RestartReason> = new Set(['stale', 'blank']);
const ladder: readonly RecoveryStep[] = ['load', 'load', 'restart'];

const countIn = (
  restarts: Restarts,
  at: EpochMs,
  windowMs: Milliseconds,
  counts: (reason: RestartReason) => boolean,
): number => restarts.filter((one) => counts(one.reason) && at - one.at < windowMs && one.at <= at).length;

/** Number of troubles within the last ten minutes. */
export const recentTroubles = (restarts: Restarts, at: EpochMs): number =>
  countIn(restarts, at, SLOWING_MS, (reason) => troubles.has(reason));

/** True if trouble is so frequent that the owner should know. */
export const keepsFailing = (restarts: Restarts, at: EpochMs): boolean => recentTroubles(restarts, at) >= KEEPS_FAILING;

/** Appends a restart; the newest twenty are kept. */
export const record = (restarts: Restarts, reason: RestartReason, at: EpochMs): Restarts =>
  [...restarts, { reason, at }].slice(-KEPT);

/**
 * The next step for a page without a connection to Home Assistant, and the pause before it: stronger each time within
 * one incident, slower each time within ten minutes. Faults of the page itself are handled in `failure-streak.ts`.
 */
export function nextStep(
  restarts: Restarts,
  at: EpochMs,
): { readonly step: RecoveryStep; readonly delayMs: Milliseconds } {
  const before = countIn(restarts, at, INCIDENT_MS, (reason) => waits.has(reason));
  const slowed = PAUSES_MS[Math.min(recentTroubles(restarts, at), PAUSES_MS.length - 1)] ?? 0;
  return { step: ladder[Math.min(before, ladder.length - 1)] ?? 'load', delayMs: slowed };
}

/**
 * The pause before restarting a browser that ended, at least 250 ms so that its profile folder is released. It grows
 * only for a browser that ended by itself, not for one that was stopped because of its page.
 */
export function restDelay(restarts: Restarts, at: EpochMs): Milliseconds {
  const ended = countIn(restarts, at, SLOWING_MS, (reason) => ends.has(reason));
  return Math.max(250, PAUSES_MS[Math.min(ended, PAUSES_MS.length - 1)] ?? 0);
}
