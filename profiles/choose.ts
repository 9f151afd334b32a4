import { readdir } from 'node:fs/promises';

import { linuxProfile } from './linux.ts';
import type { ResolvedProfile } from './resolved.ts';
import { simulatedProfile } from './simulated.ts';

/** The profiles that can be asked for by name. */
export const profileIds = ['simulated', 'linux'] as const;

/** Name of a profile. */
export type ProfileId = (typeof profileIds)[number];

const make: Readonly<Record<ProfileId, () => ResolvedProfile>> = { simulated: () => simulatedProfile(), linux: linuxProfile };

/** The profile asked for, else the Linux one where the kernel shows a backlight, else the simulated panel. */
export const chooseProfile = async (asked: ProfileId | null, backlightFolder = '/sys/class/backlight'): Promise<ResolvedProfile> => {
  if (asked !== null) return make[asked]();
  const backlights = await readdir(backlightFolder).catch((): string[] => []);
  return make[backlights.length > 0 ? 'linux' : 'simulated']();
};
