import type { ProfileContext } from '#machines/profile/events.ts';
import { profile } from '#machines/profile/index.ts';
import { profileMachine } from '#machines/profile/machine.ts';
import { part, type Part } from './kit/part.ts';

/** Holds the facts of the profile that was resolved before the tree started. */
export const profileSpec = (facts: ProfileContext): Part => part(profile, profileMachine, { input: () => facts });
