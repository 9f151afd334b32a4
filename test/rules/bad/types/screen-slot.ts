import type { ScreenDeps } from '#actors/screen.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import { simulatedScreen } from '#drivers/screen/simulated.ts';
import { SimulatedDevice } from '#drivers/simulator/device.ts';
import { simulatedVolume } from '#drivers/volume/simulated.ts';
import type { ScreenDriver, ScreenDriverCommand, ScreenFact } from '#machines/screen/events.ts';
import { screenMachine } from '#machines/screen/machine.ts';
import type { VolumeFact } from '#machines/volume/events.ts';
import type { DriverFamily } from '#profiles/driver-entry.ts';
import { screenDrivers } from '#profiles/drivers/screen.ts';
import { volumeDrivers } from '#profiles/drivers/sound.ts';
import type { ResolvedSlots } from '#profiles/resolved.ts';

const screen = simulatedScreen(new SimulatedDevice());
const volume = simulatedVolume(new SimulatedDevice());
// Told like a screen, and reports like a volume.
const stray = fromDriver<ScreenDriverCommand, undefined, VolumeFact>(() => {});
const narrow = fromDriver<ScreenDriverCommand, undefined, Extract<ScreenFact, { type: 'display.lost' }>>(() => {});

type Slot = ResolvedSlots['screen'];
export const fits: Slot = [{ id: 'screen', driver: screen }, { id: 'screen_2', driver: narrow }];
export const volumeInSlot: Slot = [{ id: 'screen', driver: volume }]; // refused: is told and reports something else
export const strayInSlot: Slot = [{ id: 'screen', driver: stray }]; // refused: reports something else
export const otherId: Slot = [{ id: 'volume', driver: screen }]; // refused: no screen is called so

type Family = DriverFamily<readonly ScreenDriver[]>;
export const fitting: Family = screenDrivers;
export const volumeFamily: Family = volumeDrivers; // refused: makes drivers of another contract

type Deps = Pick<ScreenDeps, 'driver'>;
export const deps: Deps = { driver: screen };
export const volumeDeps: Deps = { driver: volume }; // refused: is told and reports something else
export const strayDeps: Deps = { driver: stray }; // refused: reports something else

export const provided = screenMachine.provide({ actors: { display: screen } });
export const volumeProvided = screenMachine.provide({ actors: { display: volume } }); // refused: another contract
export const strayProvided = screenMachine.provide({ actors: { display: stray } }); // refused: reports something else
