import { linuxInput } from '#drivers/input/linux.ts';
import { systemLoudspeaker } from '#drivers/announcer/sound-system.ts';
import { systemPower } from '#drivers/power/system.ts';
import { systemScreen } from '#drivers/screen/system.ts';
import { systemVolume } from '#drivers/volume/system.ts';
import { assignDisplays } from '#machines/screen/assign-displays.ts';
import { chooseRoutes, needsSlowRoutes } from '#machines/screen/choose-route.ts';

import type { ResolvedProfile } from './resolved.ts';

const decisions = { assignDisplays, chooseRoutes, needsSlowRoutes };

/** A Linux machine: each part is found by trying. */
export const linuxProfile = (): ResolvedProfile => ({
  id: 'linux',
  title: 'Linux panel',
  simulated: false,
  screen: systemScreen({ decisions }),
  furtherScreens: [2, 3, 4].map((slot) => systemScreen({ decisions, slot })),
  input: linuxInput(),
  volume: systemVolume(),
  loudspeaker: systemLoudspeaker(),
  power: systemPower(),
  lights: {},
  relays: {},
  buttons: false,
  illuminance: null,
  temperature: null,
  humidity: null,
  proximity: null,
  zigbee: null,
  simulator: null,
  declared: [],
  cameraSuppressed: false,
});
