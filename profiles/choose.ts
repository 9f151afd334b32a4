import { readdirSync } from 'node:fs';

import { linuxProfile } from './linux.ts';
import type { ResolvedProfile } from './resolved.ts';
import { simulatedProfile } from './simulated.ts';

/** The profiles that can be asked for by name. */
export const profileIds = ['simulated', 'linux'] as const;

/** Name of a profile. */
export type ProfileId = (typeof profileIds)[number];

const make: Readonly<Record<ProfileId, () => ResolvedProfile>> = { simulated: () => simulatedProfile(), linux: linuxProfile };

const listsDevice = (folder: string): boolean => {
  try {
    return readdirSync(folder).length > 0;
  } catch {
    // No such class: the kernel knows no backlight.
    return false;
  }
};

/** The profile asked for, else the Linux one where the kernel shows a backlight, else the simulated panel. Looks once, at start. */
export const chooseProfile = (asked: ProfileId | null = null, backlightFolder = '/sys/class/backlight'): ResolvedProfile =>
  make[asked ?? (listsDevice(backlightFolder) ? 'linux' : 'simulated')]();
