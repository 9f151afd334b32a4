import { type DriverLogic, fromDriver } from '#drivers/kit/from-driver.ts';
import type { SimulatorDriverCommand, SimulatorFact } from '#machines/simulator/events.ts';

import type { SimulatedDevice } from './device.ts';

/** The hands on the simulated panel: presses its buttons, moves its parts and reports every change of the hardware. */
export const simulatorDriver = (device: SimulatedDevice): DriverLogic<SimulatorDriverCommand, undefined> =>
  fromDriver<SimulatorDriverCommand, undefined, SimulatorFact>(({ send, onEvent, guard }) => {
    const stop = device.observe(guard((panel) => send({ type: 'simulator.changed', panel })));
    onEvent((event) => {
      switch (event.type) {
        case 'simulator.press':
          device.press(event.button, Date.now());
          break;
        case 'simulator.light':
          device.setLux(event.lux);
          break;
        case 'simulator.relay':
          device.setRelay(event.relay, event.closed);
          break;
        case 'simulator.led':
          device.setLed(event);
          break;
        case 'simulator.screen':
          device.setScreen(event);
          break;
      }
    });
    send({ type: 'simulator.changed', panel: device.panel });
    return stop;
  });
