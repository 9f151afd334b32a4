import { subsystem } from '../subsystem.ts';
import type { StreamActor } from './events.ts';

/** The live stream. */
export const stream = subsystem<StreamActor>()({ ids: ['stream'], group: 'edge' });
