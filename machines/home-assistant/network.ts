import { isFrequent, lossPercent, oftenAbove, roundTripNumbers } from '../kit/round-trips.ts';
import type { Milliseconds } from '../kit/units.ts';
import type { HaNetwork } from './network-status.ts';

/**
 * The result of one ping, or an end of the connection that Home Assistant caused. A `network-failure` is an unanswered
 * ping, never a failed attempt to connect. A `server-failure` is a busy server or a connection that it closed or
 * refused, an `auth-failure` a refused sign-in: neither ever counts as loss (contract, rules 7 and 8). `at` and the
 * verdict's `now` are on a monotonic clock, so that setting the time neither erases nor invents an outage.
 */
export type PathSample =
  | { readonly kind: 'round-trip'; readonly at: Milliseconds; readonly ms: Milliseconds }
  | { readonly kind: 'network-failure' | 'server-failure' | 'auth-failure'; readonly at: Milliseconds };

/**
 * State of the socket: `absent` before it was connected and signed in, while it is not needed or has no credentials,
 * and after it gave up; `re-establishing` while one that was live reconnects.
 */
export type SocketStanding = 'absent' | 'live' | 're-establishing';

/** Input of the network verdict. */
export interface NetworkFacts {
  readonly standing: SocketStanding;
  /** True during the first three minutes of the agent, from which no sample may be kept. */
  readonly settling: boolean;
  /** In chronological order, limited by `keepSample`. */
  readonly samples: readonly PathSample[];
  /** When a probe was last answered; null before the first answer and while the socket is absent. */
  readonly lastAnsweredAt: Milliseconds | null;
  /** When the connection was made or its last ping ended, whichever is later; null while absent. */
  readonly lastProbedAt: Milliseconds | null;
}

/** The rolling window of the verdict (contract, "Limits"). */
const WINDOW_MS: Milliseconds = 5 * 60_000;
/** Most samples kept: a window of probes every 10 s is 30, besides refused connections. */
const MOST_SAMPLES = 64;
/** Misses in a row that are severe (contract, rule 6). */
const SEVERE_RUN = 2;
/** Round trips above these are slow (contract, `ha_resp`). */
const SLOW_MS = { warning: 100, severe: 1000 } as const;

const isInWindow = (at: Milliseconds, now: Milliseconds): boolean => at <= now && at > now - WINDOW_MS;

/** The samples with one more: those of the five minutes before it, at most the newest 64. */
export const keepSample = (samples: readonly PathSample[], sample: PathSample): readonly PathSample[] =>
  [...samples.filter(({ at }) => isInWindow(at, sample.at)), sample].slice(-MOST_SAMPLES);

/** Misses since the last round trip; failures of the server or the sign-in neither extend nor reset the run. */
const missesInARow = (samples: readonly PathSample[]): number =>
  samples.reduce((run, { kind }) => {
    if (kind === 'round-trip') return 0;
    return kind === 'network-failure' ? run + 1 : run;
  }, 0);

type Severity = 'healthy' | 'warning' | 'severe';

/** Latency is no input: it never raises the verdict on the path (contract, rule 6). */
function judgePath(misses: number, probes: number, run: number): Severity {
  if (run >= SEVERE_RUN) return 'severe';
  return isFrequent(misses, probes) ? 'warning' : 'healthy';
}

function judgeResponse(roundTrips: readonly Milliseconds[]): Severity {
  if (oftenAbove(roundTrips, SLOW_MS.severe)) return 'severe';
  return oftenAbove(roundTrips, SLOW_MS.warning) ? 'warning' : 'healthy';
}

const sockets = { absent: null, live: 'live', 're-establishing': 'reconnecting' } as const;

/**
 * The current network verdict (contract, "Health line", rules 1 to 8): none while the socket is absent, only `settling`
 * during the first three minutes, otherwise always both verdicts, healthy ones too.
 */
export function judgeNetwork(facts: NetworkFacts, now: Milliseconds): HaNetwork {
  const isHeld = facts.standing !== 'absent';
  const isJudged = isHeld && !facts.settling;
  const { lastProbedAt } = facts;
  const samples = isJudged ? facts.samples.filter(({ at }) => isInWindow(at, now)) : [];
  const roundTrips = samples.flatMap((sample) => (sample.kind === 'round-trip' ? [sample.ms] : []));
  const count = (kind: PathSample['kind']): number => samples.filter((sample) => sample.kind === kind).length;
  const misses = count('network-failure');
  const probes = roundTrips.length + misses;
  const run = missesInARow(samples);
  const unjudged = isHeld ? 'settling' : null;
  const path = isJudged ? judgePath(misses, probes, run) : unjudged;
  const unprobed = isJudged && lastProbedAt !== null && now - lastProbedAt >= WINDOW_MS;
  return {
    measuring: isHeld,
    state: unprobed ? 'unprobed' : (path ?? 'idle'),
    socket: sockets[facts.standing],
    ha_net: path,
    ha_resp: isJudged ? judgeResponse(roundTrips) : null,
    window_ms: WINDOW_MS,
    probes,
    round_trips: roundTrips.length,
    network_failures: misses,
    server_failures: count('server-failure'),
    auth_failures: count('auth-failure'),
    consecutive_failures: run,
    unprobed,
    ...roundTripNumbers(roundTrips),
    loss_percent: lossPercent(misses, probes),
    last_round_trip_age_ms:
      isJudged && facts.lastAnsweredAt !== null ? Math.max(0, Math.round(now - facts.lastAnsweredAt)) : -1,
  };
}

/** The facts without a socket. */
export const noSocket: NetworkFacts = {
  standing: 'absent',
  settling: true,
  samples: [],
  lastAnsweredAt: null,
  lastProbedAt: null,
};
