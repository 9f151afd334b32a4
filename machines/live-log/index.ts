import { subsystem } from '../subsystem.ts';
import type { LiveLogActor } from './events.ts';

/** The live log; its facts are no news for the live stream, which has none of its lines. */
export const liveLog = subsystem<LiveLogActor>()({ ids: ['live-log'], group: 'edge' });
