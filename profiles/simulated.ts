import { simulatedInput } from '#drivers/input/simulated.ts';
import { simulatedLoudspeaker } from '#drivers/announcer/simulated.ts';
import { simulatedPower } from '#drivers/power/simulated.ts';
import { simulatedScreen } from '#drivers/screen/simulated.ts';
import { SimulatedDevice } from '#drivers/simulator/device.ts';
import { simulatorDriver } from '#drivers/simulator/driver.ts';
import { simulatedVolume } from '#drivers/volume/simulated.ts';

import type { ResolvedProfile } from './resolved.ts';

/** A panel in memory: every part works, no hardware is touched. */
export const simulatedProfile = (device: SimulatedDevice = new SimulatedDevice()): ResolvedProfile => ({
  id: 'simulated',
  title: 'Simulated panel',
  simulated: true,
  screen: simulatedScreen(device),
  furtherScreens: [],
  input: simulatedInput(device),
  volume: simulatedVolume(device),
  loudspeaker: simulatedLoudspeaker,
  power: simulatedPower(device),
  lights: {},
  relays: {},
  buttons: false,
  illuminance: null,
  temperature: null,
  humidity: null,
  proximity: null,
  zigbee: null,
  simulator: simulatorDriver(device),
  declared: [],
  cameraSuppressed: false,
});
