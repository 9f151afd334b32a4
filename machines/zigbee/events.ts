import type { EventObject } from 'xstate';

import type { DriverLogic } from '../kit/placeholder.ts';
import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { Verdict } from '../kit/verdict.ts';

/** Programs that drive a Zigbee or Thread radio, by the exact name of their process. */
export const zigbeeGateways = ['zigbee2mqtt', 'siliconlabs_host', 'zigbeed', 'cpcd', 'otbr-agent'] as const;

/** One of them. */
export type ZigbeeGateway = (typeof zigbeeGateways)[number];

/** One sample of the gateway's process. */
export interface GatewaySample {
  readonly running: boolean;
  /** Whether it is joined to a network; null where nothing that can be read tells. */
  readonly joined: boolean | null;
  /** Processor time since the sample before, in percent of one core; null where there is nothing to compare with. */
  readonly cpuPercent: number | null;
  /** How long it has been running; null where it does not run or cannot be told. */
  readonly runningForMs: Milliseconds | null;
}

/** What the gateway's driver reports: once at start, each minute, and at once when a simulated one changes. */
export type ZigbeeFact =
  | {
      readonly type: 'zigbee.sampled';
      readonly gateway: ZigbeeGateway | 'simulated';
      readonly sample: GatewaySample;
      readonly at: EpochMs;
    }
  /** The gateway cannot be watched here. */
  | { readonly type: 'zigbee.missing'; readonly verdict: Verdict };

/** Contract of a driver that watches a Zigbee gateway. */
export type ZigbeeDriver = DriverLogic<EventObject, undefined, ZigbeeFact>;

export type ZigbeeEvent = ZigbeeFact;

/** How the gateway is; `unchecked` before the first sample. */
export type GatewayState = 'unchecked' | 'starting' | 'healthy' | 'warning' | 'problem' | 'not_running';

/** What is remembered of the samples. */
export interface GatewayFacts {
  readonly sample: GatewaySample | null;
  readonly sampledAt: EpochMs | null;
  /** The newest processor shares that were counted, oldest first, at most five, about a minute apart. */
  readonly shares: readonly { readonly at: EpochMs; readonly percent: number }[];
  /** When it was seen to have been started anew, in the last ten minutes, at most 20. */
  readonly restarts: readonly EpochMs[];
}

/** Public facts of the gateway. */
export interface ZigbeeContext {
  readonly gateway: ZigbeeGateway | 'simulated' | null;
  readonly facts: GatewayFacts;
  readonly state: GatewayState;
  readonly verdict: Verdict;
}

/** What the actor of the Zigbee gateway shows to the rest of the house. */
export interface ZigbeeActor {
  readonly id: 'zigbee';
  readonly context: ZigbeeContext;
  readonly event: never;
}
