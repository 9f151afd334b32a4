import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { SimulatedDevice } from '#drivers/simulator/device.ts';
import type { InputDriver, InputDriverCommand, InputFact } from '#machines/input/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import { listeningVerdict, noInput } from './verdicts.ts';

/** Timing of the simulated buttons, as a profile would set it. */
const LONG_MS: Milliseconds = 800;
const DOUBLE_MS: Milliseconds = 400;
/** Letter keys of the simulated keyboard. */
const LETTER_KEYS = 26;

/**
 * The buttons of the simulated panel, as keys, and its keyboard; `names` are in the order of the buttons. Nothing can
 * be grabbed here.
 */
export const simulatedInput = (device: SimulatedDevice, names: readonly string[] = []): InputDriver =>
  fromDriver<InputDriverCommand, undefined, InputFact>(({ send, guard, onEvent }) => {
    const here = (): boolean => device.has('buttons');
    // A part that is pulled out has nothing down.
    const held = (): readonly boolean[] => device.panel.held.map((down) => down && here());
    let was = held();
    let lastPressed = device.panel.buttons;
    let reported = '';

    const report = (): void => {
      const keyboards = device.has('keyboard') ? 1 : 0;
      const state = `${here()} ${keyboards}`;
      if (reported === state) return;
      reported = state;
      const counts = { touch: 0, key: (here() ? 1 : 0) + keyboards, pointer: 0 };
      send({
        type: 'input.devices',
        counts,
        verdict: counts.key > 0 ? listeningVerdict(counts, null, keyboards) : noInput,
        buttons: names.map((name) => ({ name, here: here() })),
        letterKeys: keyboards === 0 ? [] : [LETTER_KEYS],
      });
    };
    const change = (): void => {
      report();
      const pressed = here()
        ? (device.panel.buttons.find((at, index) => at !== null && at !== lastPressed[index]) ?? null)
        : null;
      lastPressed = device.panel.buttons;
      // The touch is reported first, as on a real panel.
      if (pressed !== null) send({ type: 'input.touched', kind: 'key', at: pressed });
      const now = held();
      now.forEach((down, index) => {
        const name = names[index];
        if (down === was[index] || name === undefined) return;
        const at = down ? (device.panel.buttons[index] ?? Date.now()) : Date.now();
        send({ type: 'input.button', name, down, at, longMs: LONG_MS, doubleMs: DOUBLE_MS });
      });
      was = now;
    };
    onEvent((command) => {
      if (command.type === 'input.settle') send({ type: 'input.settled', at: Date.now() });
    });
    const stop = device.observe(guard(change));
    report();
    return stop;
  });
