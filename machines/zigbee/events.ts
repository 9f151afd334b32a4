import type { EventObject } from 'xstate';

import type { DriverLogic } from '../kit/placeholder.ts';
import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { Verdict } from '../kit/verdict.ts';

/** Programs that drive a Zigbee or Thread radio, by their exact process names. */
export const zigbeeGateways = ['zigbee2mqtt', 'siliconlabs_host', 'zigbeed', 'cpcd', 'otbr-agent'] as const;

export type ZigbeeGateway = (typeof zigbeeGateways)[number];

/** One sample of the gateway's process. */
export interface GatewaySample {
  readonly running: boolean;
  /** True if it is joined to a network; null if nothing readable says so. */
  readonly joined: boolean | null;
  /** Processor time since the previous sample, in percent of one core; null without a previous sample. */
  readonly cpuPercent: number | null;
  /** How long it has been running; null if it is not running or the time is unknown. */
  readonly runningForMs: Milliseconds | null;
}

/** Reported by the gateway's driver: once at the start, every minute, and at once when a simulated gateway changes. */
export type ZigbeeFact =
  | {
      readonly type: 'zigbee.sampled';
      readonly gateway: ZigbeeGateway | 'simulated';
      readonly sample: GatewaySample;
      readonly at: EpochMs;
    }
  /** The gateway cannot be watched on this machine. */
  | { readonly type: 'zigbee.missing'; readonly verdict: Verdict };

/** Contract of a driver that watches a Zigbee gateway. */
export type ZigbeeDriver = DriverLogic<EventObject, undefined, ZigbeeFact>;

export type ZigbeeEvent = ZigbeeFact;

/** Health of the gateway; `unchecked` before the first sample. */
export type GatewayState = 'unchecked' | 'starting' | 'healthy' | 'warning' | 'problem' | 'not_running';

/** State kept from the samples. */
export interface GatewayFacts {
  readonly sample: GatewaySample | null;
  readonly sampledAt: EpochMs | null;
  /** The newest processor shares that count, oldest first, at most five, about a minute apart. */
  readonly shares: readonly { readonly at: EpochMs; readonly percent: number }[];
  /** When restarts were observed in the last ten minutes, at most 20. */
  readonly restarts: readonly EpochMs[];
}

/** Public facts of the gateway. */
export interface ZigbeeContext {
  readonly gateway: ZigbeeGateway | 'simulated' | null;
  readonly facts: GatewayFacts;
  readonly state: GatewayState;
  readonly verdict: Verdict;
}

export interface ZigbeeActor {
  readonly id: 'zigbee';
  readonly context: ZigbeeContext;
  readonly event: never;
}
