import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { RendererContext, RestartReason } from './events.ts';

/** What is done about a page or browser in trouble, the gentlest first. */
export type RecoveryStep = 'unhang' | 'load' | 'restart';

type Restarts = RendererContext['restarts'];

/** Restarts that are kept. */
const KEPT = 20;
/** Trouble within this time is one incident: the next step is a stronger one, in milliseconds. */
export const INCIDENT_MS: Milliseconds = 120_000;
/** Trouble within this time slows the next try down, in milliseconds. */
const SLOWING_MS: Milliseconds = 600_000;
/**
 * Pauses before the first, second, ... try within that time; the last one stays. The first two are free: back within
 * ten seconds.
 */
const PAUSES_MS: readonly Milliseconds[] = [0, 0, 2_000, 5_000, 15_000, 30_000, 60_000];
/** So many troubles within that time and a person should know. */
const KEEPS_FAILING = 5;

/** Restarts that nobody asked for. */
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

/** Those of a browser that ended by itself. */
const ends: ReadonlySet<RestartReason> = new Set(['killed', 'exited', 'start-timeout']);

/** What is not the fault of a page: its socket stays closed although Home Assistant answers. */
const waits: ReadonlySet<RestartReason> = new Set(['stale', 'blank']);
const ladder: readonly RecoveryStep[] = ['load', 'load', 'restart'];

const countIn = (
  restarts: Restarts,
  at: EpochMs,
  windowMs: Milliseconds,
  counts: (reason: RestartReason) => boolean,
): number => restarts.filter((one) => counts(one.reason) && at - one.at < windowMs && one.at <= at).length;

/** Troubles of the last ten minutes. */
export const recentTroubles = (restarts: Restarts, at: EpochMs): number =>
  countIn(restarts, at, SLOWING_MS, (reason) => troubles.has(reason));

/** Whether trouble comes so often that a person should know. */
export const keepsFailing = (restarts: Restarts, at: EpochMs): boolean => recentTroubles(restarts, at) >= KEEPS_FAILING;

/** Adds a restart; the newest twenty are kept. */
export const record = (restarts: Restarts, reason: RestartReason, at: EpochMs): Restarts =>
  [...restarts, { reason, at }].slice(-KEPT);

/**
 * What to do about a page that Home Assistant does not talk to, and after which pause: stronger each time within one
 * incident, slower each time within ten minutes. What is the fault of a page itself stands in `failure-streak.ts`.
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
 * The pause before a browser that ended is started again; never none, so that its folder is free. It grows for a
 * browser that ends by itself, not for one that was ended for its page.
 */
export function restDelay(restarts: Restarts, at: EpochMs): Milliseconds {
  const ended = countIn(restarts, at, SLOWING_MS, (reason) => ends.has(reason));
  return Math.max(250, PAUSES_MS[Math.min(ended, PAUSES_MS.length - 1)] ?? 0);
}
