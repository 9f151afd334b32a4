import { subsystem } from '../subsystem.ts';
import type { ActiveProfileActor } from './events.ts';
import { warnings } from './status.ts';

export const activeProfile = subsystem<ActiveProfileActor>()({ ids: ['active-profile'], group: 'base', warnings });
