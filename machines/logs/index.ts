import { subsystem } from '../subsystem.ts';
import type { LogsActor } from './events.ts';

/** The live log; its facts are no news for the live stream, which has none of its lines. */
export const logs = subsystem<LogsActor>()({ ids: ['logs'], group: 'edge' });
