import { subsystem } from '../subsystem.ts';
import type { StreamActor } from './events.ts';

export const stream = subsystem<StreamActor>()({ ids: ['stream'], group: 'edge' });
