import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { SimulatorDriver, SimulatorDriverCommand, SimulatorFact } from '#machines/simulator/events.ts';

import type { SimulatedDevice } from './device.ts';

/** Operates the simulated panel: presses its buttons, moves its parts and reports every change of the hardware. */
export const simulatorDriver = (device: SimulatedDevice): SimulatorDriver =>
  fromDriver<SimulatorDriverCommand, undefined, SimulatorFact>(({ send, onEvent, guard }) => {
    let shown = device.panel;
    let own = false;
    const show = guard(() => {
      if (shown === device.panel) return;
      shown = device.panel;
      send({ type: 'simulator.changed', panel: shown });
    });
    // A change by another driver is reported after that driver's own fact; a change by this one immediately.
    const stop = device.observe(() => {
      if (own) show();
      else queueMicrotask(show);
    });
    const touch = (event: SimulatorDriverCommand): void => {
      switch (event.type) {
        case 'simulator.press':
          device.press(event.button, Date.now());
          break;
        case 'simulator.hold':
          device.hold(event.button, event.down, Date.now());
          break;
        case 'simulator.air':
          device.setAir(event);
          break;
        case 'simulator.near':
          device.setProximity(event.proximity);
          break;
        case 'simulator.zigbee':
          device.setZigbee({
            ...(event.running === undefined ? {} : { running: event.running }),
            ...(event.joined === undefined ? {} : { joined: event.joined }),
            ...(event.cpuPercent === undefined ? {} : { cpuPercent: event.cpuPercent }),
          });
          break;
        case 'simulator.plug':
          device.plug(event.part, event.plugged);
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
        case 'simulator.backlight':
          device.setButtonBacklight(event.level);
          break;
        case 'simulator.camera': {
          const { type: _, ...part } = event;
          device.setCamera(part);
          break;
        }
        case 'simulator.microphone': {
          const { type: _, ...part } = event;
          device.setMicrophone(part);
          break;
        }
        case 'simulator.screen':
          device.setScreen(event);
          break;
      }
    };
    onEvent((event) => {
      own = true;
      try {
        touch(event);
      } finally {
        own = false;
      }
    });
    send({ type: 'simulator.changed', panel: shown });
    return stop;
  });
