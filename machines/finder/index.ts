import { subsystem } from '../subsystem.ts';
import type { FinderActor } from './events.ts';

/** The search for Home Assistant on the network. */
export const finder = subsystem<FinderActor>()({ ids: ['finder'], group: 'link' });
