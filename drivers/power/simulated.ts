import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { SimulatedDevice } from '#drivers/simulator/device.ts';
import { working } from '#machines/kit/verdict.ts';
import type { PowerDriver, PowerDriverCommand, PowerFact } from '#machines/power/events.ts';

/** Counts reboots of the simulated panel; nothing is rebooted. */
export const simulatedPower = (device: SimulatedDevice): PowerDriver =>
  fromDriver<PowerDriverCommand, undefined, PowerFact>(({ send, onEvent }) => {
    const report = (): void =>
      send({
        type: 'reboot.route',
        route: 'simulated',
        verdict: working(
          'reboot-simulated',
          'A reboot of the simulated panel is counted; this machine is not rebooted.',
        ),
      });
    onEvent((command) => {
      if (command.type === 'reboot.probe') {
        report();
        return;
      }
      send({ type: 'reboot.asked', at: Date.now() });
      device.reboot();
      send({ type: 'reboot.begun', at: Date.now() });
    });
    report();
  });
