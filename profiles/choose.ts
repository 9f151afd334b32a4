import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { linuxProfile } from './linux.ts';
import type { ResolvedProfile } from './resolved.ts';
import { simulatedProfile } from './simulated.ts';

/** The profiles that can be asked for by name. */
export const profileIds = ['simulated', 'linux'] as const;

/** Name of a profile. */
export type ProfileId = (typeof profileIds)[number];

/** Where the machine shows that it has a screen; the kernel's own folders unless a test names others. */
export interface ScreenSigns {
  /** Folder of the kernel's backlights. */
  readonly backlights: string;
  /** Folder of the kernel's graphics cards, one subfolder per connector. */
  readonly connectors: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const kernelSigns = (): ScreenSigns => ({ backlights: '/sys/class/backlight', connectors: '/sys/class/drm', env: process.env });

const make: Readonly<Record<ProfileId, () => ResolvedProfile>> = { simulated: () => simulatedProfile(), linux: linuxProfile };

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch {
    // No such class: the kernel knows no such device.
    return [];
  }
};

const isConnected = (connector: string): boolean => {
  try {
    return readFileSync(join(connector, 'status'), 'utf8').trim() === 'connected';
  } catch {
    // A card itself has no status, only its connectors have.
    return false;
  }
};

const hasScreen = ({ backlights, connectors, env }: ScreenSigns): boolean =>
  namesIn(backlights).length > 0 ||
  [env['WAYLAND_DISPLAY'], env['DISPLAY']].some((name) => name !== undefined && name !== '') ||
  namesIn(connectors).some((name) => isConnected(join(connectors, name)));

/** The profile asked for, else the Linux one where the machine shows a screen, else the simulated panel. Looks once, at start. */
export const chooseProfile = (asked: ProfileId | null = null, signs: ScreenSigns = kernelSigns()): ResolvedProfile =>
  make[asked ?? (hasScreen(signs) ? 'linux' : 'simulated')]();
