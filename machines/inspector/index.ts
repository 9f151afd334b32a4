import { subsystem } from '../subsystem.ts';
import type { InspectorActor } from './events.ts';

/** The inspector's viewers. */
export const inspector = subsystem<InspectorActor>()({ ids: ['inspector'], group: 'edge' });
