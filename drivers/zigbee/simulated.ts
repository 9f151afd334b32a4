import type { EventObject } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { SimulatedDevice } from '#drivers/simulator/device.ts';
import type { ZigbeeDriver, ZigbeeFact } from '#machines/zigbee/events.ts';

/** Pause between two samples while nothing changes, in milliseconds. */
const SAMPLE_MS = 60_000;

export interface GatewayClocks {
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** Milliseconds of a monotonic clock, from any origin. */
  readonly elapsed: () => number;
}

/** The Zigbee gateway of the simulated panel; changes are reported immediately. */
export const simulatedZigbee = (
  device: SimulatedDevice,
  { now, elapsed }: GatewayClocks = { now: Date.now, elapsed: () => performance.now() },
): ZigbeeDriver =>
  fromDriver<EventObject, undefined, ZigbeeFact>(({ send, guard }) => {
    let startedAt: number | null = null;
    let reported = '';
    let timer: NodeJS.Timeout | undefined;

    const sample = (): void => {
      clearTimeout(timer);
      timer = setTimeout(guard(sample), SAMPLE_MS);
      const { zigbee } = device.panel;
      const here = device.has('zigbee');
      reported = JSON.stringify([zigbee, here]);
      if (!here) {
        startedAt = null;
        send({
          type: 'zigbee.missing',
          verdict: {
            state: 'not_here',
            reason: 'no-gateway',
            detail: 'The Zigbee gateway of the simulated panel is pulled out.',
            missing: 'The gateway.',
            fix: null,
          },
        });
        return;
      }
      startedAt = zigbee.running ? (startedAt ?? elapsed()) : null;
      send({
        type: 'zigbee.sampled',
        gateway: 'simulated',
        at: now(),
        sample: {
          running: zigbee.running,
          joined: zigbee.running ? zigbee.joined : null,
          cpuPercent: zigbee.running ? zigbee.cpuPercent : null,
          runningForMs: startedAt === null ? null : Math.round(elapsed() - startedAt),
        },
      });
    };

    const stop = device.observe(
      guard(({ zigbee }) => {
        if (JSON.stringify([zigbee, device.has('zigbee')]) !== reported) sample();
      }),
    );
    sample();
    return () => {
      clearTimeout(timer);
      stop();
    };
  });
