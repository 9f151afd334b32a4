import { gone } from '#drivers/kit/attached.ts';
import type { SimulatedDevice } from '#drivers/simulator/device.ts';
import { type Verdict, working } from '#machines/kit/verdict.ts';
import type { LightAbility, LightDriver, LightOutput } from '#machines/lights/events.ts';
import type { SimulatedPart } from '#machines/simulator/events.ts';

import { type OpenLight, driveLight } from './open-light.ts';
import { brightest, FULL, scaled, unscaled } from './scale.ts';

export type SimulatedLight =
  | { readonly part: 'led' }
  | { readonly part: 'button_backlight' }
  | { readonly part: 'button_leds'; /** 1 to 4. */ readonly button: number };

/** The simulated panel reports its changes, so polling is rare. */
const OBSERVED_POLL_MS = 60_000;

const here = working('light-simulated', 'The light is one of the simulated panel; nothing is lit here.');
const pulledOut: Verdict = {
  state: 'not_here',
  reason: 'light-unplugged',
  detail: 'This part of the simulated panel is pulled out.',
  missing: 'The part: put it back in on the page of the simulated panel.',
  fix: null,
};

interface Place {
  readonly ability: LightAbility;
  readonly read: () => LightOutput;
  readonly write: (output: LightOutput) => void;
}

function placeOf(device: SimulatedDevice, light: SimulatedLight): Place {
  switch (light.part) {
    case 'led':
      return {
        ability: { colour: 'rgb', effects: true },
        read: () => {
          const { on, ...rgb } = device.panel.led;
          return on ? { level: brightest(rgb), rgb: unscaled(rgb) } : { level: 0, rgb };
        },
        // A dark LED keeps its colour in the drawing, as the registers of real hardware do.
        write: ({ level, rgb }) =>
          device.setLed({
            on: level > 0,
            ...(level > 0 && rgb !== null ? scaled(rgb, level) : (rgb ?? device.panel.led)),
          }),
      };
    case 'button_backlight':
      return {
        ability: { colour: 'level', effects: true },
        read: () => ({ level: device.panel.buttonBacklight, rgb: null }),
        write: ({ level }) => device.setButtonBacklight(level > 0 ? Math.max(1, level) : 0),
      };
    case 'button_leds':
      return {
        ability: { colour: 'switch', effects: true },
        read: () => ({ level: device.panel.buttonLeds[light.button - 1] === true ? FULL : 0, rgb: null }),
        write: ({ level }) => device.setButtonLed(light.button, level > 0),
      };
  }
}

/** One light of the simulated panel; missing while its part is pulled out. */
export function simulatedLight(device: SimulatedDevice, light: SimulatedLight = { part: 'led' }): LightDriver {
  const part: SimulatedPart = light.part;
  const place = placeOf(device, light);
  let own = false;
  const isHere = (): void => {
    if (!device.has(part)) throw gone();
  };
  const openLight: OpenLight = {
    ability: place.ability,
    read: async () => {
      isHere();
      return place.read();
    },
    write: async (output) => {
      isHere();
      own = true;
      try {
        place.write(output);
      } finally {
        own = false;
      }
    },
    close: async () => {},
  };
  const sign = (): string => JSON.stringify([device.has(part), place.read()]);
  return driveLight({
    probe: async () => (device.has(part) ? { device: openLight, verdict: here } : { device: null, verdict: pulledOut }),
    pollMs: OBSERVED_POLL_MS,
    watch: (now) => {
      let last = sign();
      return device.observe(() => {
        const shown = sign();
        if (shown === last) return;
        last = shown;
        if (!own) now();
      }, ['led', 'buttonBacklight', 'buttonLeds', 'unplugged']);
    },
  });
}
