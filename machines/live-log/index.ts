import { subsystem } from '../subsystem.ts';
import type { LiveLogActor } from './events.ts';

/** The live log; the live stream shows none of its facts. */
export const liveLog = subsystem<LiveLogActor>()({ ids: ['live-log'], group: 'edge' });
