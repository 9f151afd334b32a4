import { lossPercent, oftenAbove, roundTripNumbers } from '../kit/round-trips.ts';
import type { Milliseconds } from '../kit/units.ts';
import type { Burst, PathProbeObject } from './events.ts';

/** Number of bursts that are judged (this and all limits below as panel-assistant). */
const JUDGED_BURSTS = 6;
/** Consecutive bursts without any answer that are severe. */
const SEVERE_DEAD_BURSTS = 2;
/** Loss above these is a warning, or severe. */
const LOSS_PERCENT = { warning: 5, severe: 20 } as const;
/** Round trips above these are slow. */
const SLOW_MS: Readonly<Record<'warning' | 'severe', Milliseconds>> = { warning: 100, severe: 400 };

/** What is known of a path: its bursts, and whether any echo was ever answered. */
export interface ProbedWay {
  readonly bursts: readonly Burst[];
  readonly proven: boolean;
}

/** A path of which nothing is known. */
export const unknownWay: ProbedWay = { bursts: [], proven: false };

/**
 * The path with one more burst. The first answer proves a path, and the silence before is forgotten: it was no loss
 * (contract, "Rules for `ha_path_probe`"). A burst in which nothing could be sent is ignored.
 */
export function keepBurst({ bursts, proven }: ProbedWay, burst: Burst): ProbedWay {
  if (burst.sent === 0) return { bursts, proven };
  const isAnswered = burst.roundTripsMs.length > 0;
  const before = proven || !isAnswered ? bursts : [];
  return { bursts: [...before, burst].slice(-JUDGED_BURSTS), proven: proven || isAnswered };
}

/** Consecutive bursts without any answer, up to the newest. */
const deadBursts = (bursts: readonly Burst[]): number =>
  bursts.reduce((run, { roundTripsMs }) => (roundTripsMs.length === 0 ? run + 1 : 0), 0);

/** The judgement on a path; no verdict before it is proven. */
export type JudgedWay = Pick<
  PathProbeObject,
  | 'bursts'
  | 'echoes_sent'
  | 'echoes_received'
  | 'consecutive_dead_bursts'
  | 'loss_percent'
  | 'p50_ms'
  | 'p95_ms'
  | 'max_ms'
  | 'jitter_ms'
> & { readonly verdict: 'healthy' | 'warning' | 'severe' | null };

/** Judges a path by its bursts: dead bursts first, then loss and latency, the more severe first. */
export function judgeWay({ bursts, proven }: ProbedWay): JudgedWay {
  const roundTrips = bursts.flatMap(({ roundTripsMs }) => roundTripsMs);
  const sent = bursts.reduce((sum, burst) => sum + burst.sent, 0);
  const lost = sent - roundTrips.length;
  const dead = proven ? deadBursts(bursts) : 0;
  const isAbove = (degree: 'warning' | 'severe'): boolean =>
    lost * 100 > LOSS_PERCENT[degree] * sent || oftenAbove(roundTrips, SLOW_MS[degree]);
  const judged =
    dead >= SEVERE_DEAD_BURSTS || isAbove('severe') ? 'severe' : isAbove('warning') ? 'warning' : 'healthy';
  return {
    verdict: proven ? judged : null,
    bursts: bursts.length,
    echoes_sent: sent,
    echoes_received: roundTrips.length,
    consecutive_dead_bursts: dead,
    loss_percent: proven ? lossPercent(lost, sent) : -1,
    ...roundTripNumbers(roundTrips),
  };
}
