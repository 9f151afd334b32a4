import { linuxInput } from '#drivers/input/linux.ts';
import { systemLoudspeaker } from '#drivers/announcer/sound-system.ts';
import { systemPower } from '#drivers/power/system.ts';
import { sysfsBacklight } from '#drivers/screen/sysfs-backlight.ts';
import { systemVolume } from '#drivers/volume/system.ts';

import type { ResolvedProfile } from './resolved.ts';

/** A Linux machine: each part is found by trying. */
export const linuxProfile = (): ResolvedProfile => ({
  id: 'linux',
  title: 'Linux panel',
  simulated: false,
  screen: sysfsBacklight(),
  input: linuxInput(),
  volume: systemVolume(),
  loudspeaker: systemLoudspeaker(),
  power: systemPower(),
  simulator: null,
  cameraSuppressed: false,
});
