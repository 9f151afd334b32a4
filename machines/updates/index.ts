import { subsystem } from '../subsystem.ts';
import type { UpdatesActor } from './events.ts';
import { status } from './status.ts';

/** Tells whether the repository that this copy was cloned from has something newer. */
export const updates = subsystem<UpdatesActor>()({ ids: ['updates'], group: 'upkeep', status });
