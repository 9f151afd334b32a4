import type { EventObject } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { rounds } from '#drivers/kit/rounds.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { Verdict } from '#machines/kit/verdict.ts';
import type { GatewaySample, ZigbeeDriver, ZigbeeFact, ZigbeeGateway } from '#machines/zigbee/events.ts';

import { findProcesses, type GatewayProcess, readUptime, runningFor, shareOf } from './processes.ts';

/** Pause between two samples (as panel-assistant). */
const SAMPLE_MS: Milliseconds = 60_000;

export interface WatchedGateway {
  readonly gateway: ZigbeeGateway;
  /** Folder used as `/proc`. */
  readonly proc?: string;
  readonly everyMs?: Milliseconds;
  /** Milliseconds since the Unix epoch. */
  readonly now?: () => number;
}

export const noProcessList: Verdict = {
  state: 'not_here',
  reason: 'no-process-list',
  detail: 'The processes of this machine cannot be listed, so the Zigbee gateway cannot be watched.',
  missing: 'A readable /proc.',
  fix: null,
};

/**
 * Watches the gateway's process from outside. No file of the system says whether the gateway is joined, so `joined` is
 * null.
 */
export const zigbeeProcess = ({
  gateway,
  proc = '/proc',
  everyMs = SAMPLE_MS,
  now = Date.now,
}: WatchedGateway): ZigbeeDriver =>
  fromDriver<EventObject, undefined, ZigbeeFact>((scope) => {
    let before: { readonly at: number; readonly processes: readonly GatewayProcess[] } | null = null;

    const sample = async (processes: readonly GatewayProcess[]): Promise<GatewaySample> => {
      const at = performance.now();
      const cpuPercent = before === null ? null : shareOf(before.processes, processes, at - before.at);
      before = { at, processes };
      return {
        running: processes.length > 0,
        joined: null,
        cpuPercent,
        runningForMs: runningFor(processes, await readUptime(proc)),
      };
    };
    const samples = rounds(scope, async () => {
      const processes = await findProcesses(gateway, proc);
      if (processes === null) scope.send({ type: 'zigbee.missing', verdict: noProcessList });
      else scope.send({ type: 'zigbee.sampled', gateway, at: now(), sample: await sample(processes) });
      return everyMs;
    });
    samples.nextIn(0);
    return () => void samples.stop();
  });
