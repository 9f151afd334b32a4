import { subsystem } from '../subsystem.ts';
import type { ProfileActor } from './events.ts';
import { warnings } from './status.ts';

/** The active profile. */
export const profile = subsystem<ProfileActor>()({ ids: ['profile'], group: 'base', warnings });
