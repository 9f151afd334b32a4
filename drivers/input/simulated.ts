import { type DriverLogic, fromDriver } from '#drivers/kit/from-driver.ts';
import type { SimulatedDevice } from '#drivers/simulator/device.ts';
import type { InputDriverCommand, InputFact } from '#machines/input/events.ts';

import { listeningVerdict } from './verdicts.ts';

/** The buttons of the simulated panel, as keys. */
export const simulatedInput = (device: SimulatedDevice): DriverLogic<InputDriverCommand, undefined> =>
  fromDriver<InputDriverCommand, undefined, InputFact>(({ send, guard }) => {
    let last = device.panel.buttons;
    const stop = device.observe(
      guard(({ buttons }) => {
        const pressed = buttons.find((at, index) => at !== null && at !== last[index]) ?? null;
        last = buttons;
        if (pressed !== null) send({ type: 'input.touched', kind: 'key', at: pressed });
      }),
    );
    const counts = { touch: 0, key: 1, pointer: 0 };
    send({ type: 'input.devices', counts, verdict: listeningVerdict(counts) });
    return stop;
  });
