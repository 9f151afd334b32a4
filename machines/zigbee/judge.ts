import { type EpochMs, type Milliseconds } from '../kit/units.ts';
import { checking, type Verdict, working } from '../kit/verdict.ts';
import type { GatewayFacts, GatewaySample, GatewayState, ZigbeeContext } from './events.ts';

/** A gateway that was just started may be busy (as in panel-assistant). */
export const GRACE_MS: Milliseconds = 15 * 60_000;
/** More than this share of one core, in percent, is busy (as in panel-assistant). */
const BUSY_PERCENT = 50;
/** This many samples, a minute apart, must be busy (as in panel-assistant). */
const BUSY_SAMPLES = 5;
/** Least time between two samples that count. */
const LEAST_APART_MS: Milliseconds = 55_000;
/** Restarts are counted for this long, and at most this many. */
const RESTARTS_MS: Milliseconds = 10 * 60_000;
const MOST_RESTARTS = 20;

/** The facts before the first sample. */
export const nothingObserved: GatewayFacts = { sample: null, sampledAt: null, shares: [], restarts: [] };

function hasRestarted(before: GatewaySample | null, now: GatewaySample): boolean {
  if (before === null || !now.running) return false;
  if (!before.running) return true;
  return before.runningForMs !== null && now.runningForMs !== null && now.runningForMs < before.runningForMs;
}

/**
 * The facts after a sample at `at`. Shares from before a restart, or of a gateway that is not running, no longer
 * count.
 */
export function afterSample(facts: GatewayFacts, sample: GatewaySample, at: EpochMs): GatewayFacts {
  const restarted = hasRestarted(facts.sample, sample);
  const kept = restarted || !sample.running ? [] : facts.shares.filter((share) => share.at <= at);
  const last = kept.at(-1);
  const counts = sample.running && sample.cpuPercent !== null && (last === undefined || at - last.at >= LEAST_APART_MS);
  return {
    sample,
    sampledAt: at,
    shares: counts ? [...kept, { at, percent: sample.cpuPercent ?? 0 }].slice(-BUSY_SAMPLES) : kept,
    restarts: [...facts.restarts, ...(restarted ? [at] : [])]
      .filter((restart) => restart <= at && at - restart < RESTARTS_MS)
      .slice(-MOST_RESTARTS),
  };
}

/** True if the last five samples were all busy. */
export const isBusy = ({ shares }: GatewayFacts): boolean =>
  shares.length === BUSY_SAMPLES && shares.every(({ percent }) => percent > BUSY_PERCENT);

/**
 * Judges the gateway. It is only a problem if it is known not to be joined and stays busy after its grace period;
 * busy while joined (or while that is unknown), or idle without a network, is a warning. Nothing is switched off
 * because of this.
 */
export function judgeGateway(facts: GatewayFacts): GatewayState {
  const { sample } = facts;
  if (sample === null) return 'unchecked';
  if (!sample.running) return 'not_running';
  const inGrace = sample.runningForMs !== null && sample.runningForMs < GRACE_MS;
  if (isBusy(facts) && !inGrace) return sample.joined === false ? 'problem' : 'warning';
  if (sample.joined === false) return inGrace ? 'starting' : 'warning';
  return 'healthy';
}

const does = { start: 'Starts', restart: 'Restarts' } as const;

const command = (gateway: ZigbeeContext['gateway'], verb: 'start' | 'restart'): Verdict['fix'] =>
  gateway === null || gateway === 'simulated' || gateway === 'siliconlabs_host'
    ? null
    : {
        command: `sudo systemctl ${verb} ${gateway}`,
        effect: `${does[verb]} the Zigbee gateway; its devices do not answer until it runs.`,
      };

/** The verdict for the owner; never a process number, a network or a device. */
export function gatewayVerdict(state: GatewayState, facts: GatewayFacts, gateway: ZigbeeContext['gateway']): Verdict {
  switch (state) {
    case 'unchecked':
      return checking;
    case 'healthy':
      return working(
        'gateway-healthy',
        facts.sample?.joined === true
          ? 'The Zigbee gateway is running and joined to its network.'
          : 'The Zigbee gateway is running; whether it has joined a network cannot be read.',
      );
    case 'starting':
      return working(
        'gateway-starting',
        'The Zigbee gateway was started a short while ago and has not joined a network yet.',
      );
    case 'warning':
      return isBusy(facts)
        ? working(
            'gateway-busy',
            'The Zigbee gateway is running and has used more than half a processor core for five minutes.',
          )
        : working('gateway-not-joined', 'The Zigbee gateway is running but has not joined a network.');
    case 'problem':
      return {
        state: 'needs_you',
        reason: 'gateway-spinning',
        detail:
          'The Zigbee gateway has not joined a network and has used more than half a processor core for five minutes. Sconce does not switch it off.',
        missing: 'A gateway that is joined to its network.',
        fix: command(gateway, 'restart'),
      };
    case 'not_running':
      return {
        state: 'needs_you',
        reason: 'gateway-not-running',
        detail: 'The Zigbee gateway is not running.',
        missing: 'A running gateway.',
        fix: command(gateway, 'start'),
      };
  }
}
