import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { SimulatedDevice } from '#drivers/simulator/device.ts';
import type { SimulatedPanel, SimulatedPart } from '#machines/simulator/events.ts';
import { type Verdict, working } from '#machines/kit/verdict.ts';
import type { SensorDriver, SensorDriverCommand, SensorFact, SensorId } from '#machines/sensors/events.ts';

/** How often the simulated sensors are read when nothing changes, and how often at most while something does. */
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

/** One sensor of the simulated panel; a change is told at once, and at most once per second. */
export const simulatedSensor = (device: SimulatedDevice, kind: SensorId): SensorDriver =>
  fromDriver<SensorDriverCommand, undefined, SensorFact>(({ send, onEvent, guard }) => {
    let found = false;
    let told = Number.NaN;
    let toldAt = 0;
    let timer: NodeJS.Timeout | undefined;

    const sample = (): void => {
      told = readings[kind](device.panel);
      toldAt = performance.now();
      clearTimeout(timer);
      timer = setTimeout(guard(sample), EVERY_MS);
      send({ type: 'sensor.sampled', value: told, at: Date.now() });
    };
    const look = (): void => {
      if (found) return;
      found = device.has(parts[kind]);
      if (!found) {
        send({ type: 'sensor.missing', verdict: unplugged, optional: false });
        return;
      }
      send({
        type: 'sensor.found',
        device: 'simulated',
        everyMs: EVERY_MS,
        verdict: working('sensor-found', 'The sensor of the simulated panel answers.'),
      });
      sample();
    };
    const changed = (): void => {
      if (found !== device.has(parts[kind])) {
        if (!found) return look();
        found = false;
        clearTimeout(timer);
        send({ type: 'sensor.lost', code: 'ENODEV', at: Date.now() });
      } else if (found && readings[kind](device.panel) !== told) {
        clearTimeout(timer);
        timer = setTimeout(guard(sample), Math.max(0, LEAST_MS - (performance.now() - toldAt)));
      }
    };

    const stop = device.observe(guard(changed));
    onEvent(look);
    look();
    return () => {
      clearTimeout(timer);
      stop();
    };
  });
