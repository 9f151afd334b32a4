import { type EpochMs, type Milliseconds } from '../kit/units.ts';
import { checking, type Verdict, working } from '../kit/verdict.ts';
import type { GatewayFacts, GatewaySample, GatewayState, ZigbeeContext } from './events.ts';

/** A gateway that was just started may be busy (as panel-assistant). */
export const GRACE_MS: Milliseconds = 15 * 60_000;
/** More than this share of one core, in percent, is busy (as panel-assistant). */
const BUSY_PERCENT = 50;
/** So many samples, a minute apart, must be busy (as panel-assistant). */
const BUSY_SAMPLES = 5;
/** Least distance of two samples that are counted. */
const LEAST_APART_MS: Milliseconds = 55_000;
/** Restarts are counted for this long, and at most this many. */
const RESTARTS_MS: Milliseconds = 10 * 60_000;
const MOST_RESTARTS = 20;

/** What is known before the first sample. */
export const nothingObserved: GatewayFacts = { sample: null, sampledAt: null, shares: [], restarts: [] };

function startedAnew(before: GatewaySample | null, now: GatewaySample): boolean {
  if (before === null || !now.running) return false;
  if (!before.running) return true;
  return before.runningForMs !== null && now.runningForMs !== null && now.runningForMs < before.runningForMs;
}

/** The facts after a sample at `at`. Shares before a restart and of a gateway that does not run count no more. */
export function afterSample(facts: GatewayFacts, sample: GatewaySample, at: EpochMs): GatewayFacts {
  const anew = startedAnew(facts.sample, sample);
  const kept = anew || !sample.running ? [] : facts.shares.filter((share) => share.at <= at);
  const last = kept.at(-1);
  const counts = sample.running && sample.cpuPercent !== null && (last === undefined || at - last.at >= LEAST_APART_MS);
  return {
    sample,
    sampledAt: at,
    shares: counts ? [...kept, { at, percent: sample.cpuPercent ?? 0 }].slice(-BUSY_SAMPLES) : kept,
    restarts: [...facts.restarts, ...(anew ? [at] : [])]
      .filter((restart) => restart <= at && at - restart < RESTARTS_MS)
      .slice(-MOST_RESTARTS),
  };
}

/** Whether the last five samples were all busy. */
export const isBusy = ({ shares }: GatewayFacts): boolean =>
  shares.length === BUSY_SAMPLES && shares.every(({ percent }) => percent > BUSY_PERCENT);

/**
 * How the gateway is. Only one that is known not to be joined and stays busy after its grace is a problem; one that is
 * busy and joined, or of which that is not known, or idle without a network, is a warning. Nothing is switched off by
 * this.
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

/** What the owner reads; never a process number, a network or a device. */
export function gatewayVerdict(state: GatewayState, facts: GatewayFacts, gateway: ZigbeeContext['gateway']): Verdict {
  switch (state) {
    case 'unchecked':
      return checking;
    case 'healthy':
      return working(
        'gateway-healthy',
        facts.sample?.joined === true
          ? 'The Zigbee gateway runs and is joined to its network.'
          : 'The Zigbee gateway runs; whether it is joined to a network cannot be read.',
      );
    case 'starting':
      return working(
        'gateway-starting',
        'The Zigbee gateway was started a short while ago and is not joined to a network yet.',
      );
    case 'warning':
      return isBusy(facts)
        ? working(
            'gateway-busy',
            'The Zigbee gateway runs and has taken more than half a processor core for five minutes.',
          )
        : working('gateway-not-joined', 'The Zigbee gateway runs and is not joined to a network.');
    case 'problem':
      return {
        state: 'needs_you',
        reason: 'gateway-spinning',
        detail:
          'The Zigbee gateway is not joined to a network and has taken more than half a processor core for five minutes. Sconce switches nothing off by itself.',
        missing: 'A gateway that is joined to its network.',
        fix: command(gateway, 'restart'),
      };
    case 'not_running':
      return {
        state: 'needs_you',
        reason: 'gateway-not-running',
        detail: 'The Zigbee gateway does not run.',
        missing: 'A running gateway.',
        fix: command(gateway, 'start'),
      };
  }
}
