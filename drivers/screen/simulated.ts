import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { SimulatedDevice } from '#drivers/simulator/device.ts';
import type {
  DisplayFacts,
  DisplayReading,
  ScreenDriver,
  ScreenDriverCommand,
  ScreenFact,
} from '#machines/screen/events.ts';

/** The screen of the simulated panel; answers synchronously. */
export const simulatedScreen = (device: SimulatedDevice): ScreenDriver =>
  fromDriver<ScreenDriverCommand, undefined, ScreenFact>(({ send, onEvent, guard }) => {
    const read = (): DisplayReading => ({ raw: device.panel.screen.raw, powered: device.panel.screen.powered });
    const display: DisplayFacts = {
      name: 'simulated screen',
      rawMax: device.panel.screen.rawMax,
      rawMin: 1,
      power: true,
    };
    let last = read();
    let writing = false;
    const stop = device.observe(
      guard(() => {
        const reading = read();
        if (writing || (reading.raw === last.raw && reading.powered === last.powered)) return;
        last = reading;
        send({ type: 'display.observed', reading, at: Date.now() });
      }),
    );
    onEvent((command) => {
      if (command.type !== 'display.write') return;
      const isLeftDark = command.onlyAbove !== undefined && (!last.powered || last.raw <= command.onlyAbove);
      writing = true;
      if (!isLeftDark) device.setScreen(command);
      writing = false;
      last = read();
      send({ type: 'display.written', generation: command.generation, reading: last, at: Date.now() });
    });
    send({ type: 'display.found', display, reading: last, at: Date.now() });
    return stop;
  });
