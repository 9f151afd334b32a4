import type { SimulatedDevice } from '#drivers/simulator/device.ts';
import type { Verdict } from '#machines/kit/verdict.ts';
import type { ProximityDriver } from '#machines/proximity/events.ts';

import { type ProximityDecisions, type SampleClock, sampledProximity } from './sampled.ts';

const unplugged: Verdict = {
  state: 'not_here',
  reason: 'no-proximity-sensor',
  detail: 'The proximity sensor of the simulated panel is pulled out.',
  missing: 'The proximity sensor.',
  fix: null,
};

const POLL_HZ = 20;

export const simulatedProximity = (
  device: SimulatedDevice,
  decisions: ProximityDecisions,
  clock?: SampleClock,
): ProximityDriver =>
  sampledProximity({
    decisions,
    pollHz: POLL_HZ,
    ...(clock === undefined ? {} : { clock }),
    open: () =>
      device.has('proximity')
        ? {
            sensor: {
              source: { driver: 'proximity.simulated', name: 'simulated' },
              read: () => {
                if (!device.has('proximity')) throw new Error('unplugged');
                return device.panel.proximity;
              },
              close: () => {},
            },
          }
        : { verdict: unplugged },
  });
