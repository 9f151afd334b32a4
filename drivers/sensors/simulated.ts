import type { EventObject } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { SimulatedDevice } from '#drivers/simulator/device.ts';
import type { SimulatedPanel, SimulatedPart } from '#machines/simulator/events.ts';
import { type Verdict, working } from '#machines/kit/verdict.ts';
import type { SensorDriver, SensorFact, SensorId } from '#machines/sensors/events.ts';

/** Interval of the samples while nothing changes, and the shortest one while something does, in milliseconds. */
const EVERY_MS = 2000;
const LEAST_MS = 1000;

const parts: Readonly<Record<SensorId, SimulatedPart>> = {
  illuminance: 'illuminance',
  temperature: 'climate',
  humidity: 'climate',
};
const readings: Readonly<Record<SensorId, (panel: SimulatedPanel) => number>> = {
  illuminance: (panel) => panel.lux,
  temperature: (panel) => panel.celsius,
  humidity: (panel) => panel.humidity,
};

const unplugged: Verdict = {
  state: 'not_here',
  reason: 'no-sensor',
  detail: 'The sensor of the simulated panel is pulled out.',
  missing: 'The sensor.',
  fix: null,
};

/** One sensor of the simulated panel; changes are reported immediately, at most once per second. */
export const simulatedSensor = (device: SimulatedDevice, kind: SensorId): SensorDriver =>
  fromDriver<EventObject, undefined, SensorFact>(({ send, guard }) => {
    let found = false;
    let reported = Number.NaN;
    let reportedAt = 0;
    let timer: NodeJS.Timeout | undefined;

    const sample = (): void => {
      reported = readings[kind](device.panel);
      reportedAt = performance.now();
      clearTimeout(timer);
      timer = setTimeout(guard(sample), EVERY_MS);
      send({ type: 'sensor.sampled', value: reported, at: Date.now() });
    };
    const probe = (): void => {
      if (found) return;
      found = device.has(parts[kind]);
      if (!found) {
        send({ type: 'sensor.missing', verdict: unplugged, optional: false });
        return;
      }
      send({
        type: 'sensor.found',
        device: 'the simulated panel',
        everyMs: EVERY_MS,
        verdict: working('sensor-found', 'The sensor of the simulated panel answers.'),
      });
      sample();
    };
    const changed = (): void => {
      if (found !== device.has(parts[kind])) {
        if (!found) return probe();
        found = false;
        clearTimeout(timer);
        send({ type: 'sensor.lost', code: 'ENODEV', at: Date.now() });
        probe();
      } else if (found && readings[kind](device.panel) !== reported) {
        clearTimeout(timer);
        timer = setTimeout(guard(sample), Math.max(0, LEAST_MS - (performance.now() - reportedAt)));
      }
    };

    const stop = device.observe(guard(changed));
    probe();
    return () => {
      clearTimeout(timer);
      stop();
    };
  });
