import { subsystem } from '../subsystem.ts';
import type { UpdatesActor } from './events.ts';
import { status } from './status.ts';

/** Whether something newer is where this copy was cloned from. */
export const updates = subsystem<UpdatesActor>()({ ids: ['updates'], group: 'upkeep', status });
