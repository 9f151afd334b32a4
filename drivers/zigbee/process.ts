import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { ZigbeeDriver, ZigbeeDriverCommand, ZigbeeFact, ZigbeeGateway } from '#machines/zigbee/events.ts';

import { findProcesses, type GatewayProcess, readUptime, runningFor, shareOf } from './processes.ts';

/** Time between two looks (behaviour-facts 14.1). */
const LOOK_MS: Milliseconds = 60_000;

/** What is watched. */
export interface WatchedGateway {
  readonly gateway: ZigbeeGateway;
  /** Folder that stands for `/proc`. */
  readonly proc?: string;
  readonly everyMs?: Milliseconds;
  /** Milliseconds since the Unix epoch. */
  readonly now?: () => number;
}

/**
 * Watches the gateway's process from outside; whether it is joined stands in no file of the system, so that is not
 * known.
 */
export const zigbeeProcess = ({
  gateway,
  proc = '/proc',
  everyMs = LOOK_MS,
  now = Date.now,
}: WatchedGateway): ZigbeeDriver =>
  fromDriver<ZigbeeDriverCommand, undefined, ZigbeeFact>((scope) => {
    let before: { readonly at: number; readonly processes: readonly GatewayProcess[] } | null = null;
    let looking = false;
    let timer: NodeJS.Timeout | undefined;

    const look = async (): Promise<void> => {
      if (looking) return;
      looking = true;
      clearTimeout(timer);
      const processes = await findProcesses(gateway, proc);
      if (processes === null) {
        scope.send({
          type: 'zigbee.missing',
          verdict: {
            state: 'not_here',
            reason: 'no-process-list',
            detail: 'The processes of this machine cannot be listed, so the Zigbee gateway cannot be watched.',
            missing: 'A readable /proc.',
            fix: null,
          },
        });
      } else {
        const at = performance.now();
        const cpuPercent = before === null ? null : shareOf(before.processes, processes, at - before.at);
        before = { at, processes };
        scope.send({
          type: 'zigbee.sampled',
          gateway,
          at: now(),
          sample: {
            running: processes.length > 0,
            joined: null,
            cpuPercent,
            runningForMs: runningFor(processes, await readUptime(proc)),
          },
        });
      }
      looking = false;
      if (!scope.signal.aborted) timer = setTimeout(scope.guard(look), everyMs);
    };

    scope.onEvent(look);
    timer = setTimeout(scope.guard(look), 0);
    return () => clearTimeout(timer);
  });
