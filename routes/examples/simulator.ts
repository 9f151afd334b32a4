import type { z } from 'zod';
import type { Given } from '#routes/kit/answer.ts';
import type { Panel } from '#routes/simulator.ts';

/** The simulated panel with its second button pressed and the sensor of the air pulled out. */
export const simulatorExample: Given<z.input<ReturnType<typeof Panel>>> = {
  screen: { raw: 820, rawMax: 1023, powered: true },
  led: { on: true, red: 255, green: 120, blue: 0 },
  relays: [false, false, true, false],
  buttonBacklight: 64,
  buttonLeds: [false, true, false, false],
  buttons: [null, 1_795_352_460_000, null, null],
  held: [false, false, false, false],
  lux: 120,
  celsius: 21.5,
  humidity: 45,
  proximity: 40,
  zigbee: { running: true, joined: true, cpuPercent: 2 },
  unplugged: ['climate'],
  volume: { percent: 40, muted: false },
  reboots: 0,
};
