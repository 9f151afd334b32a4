import { subsystem } from '../subsystem.ts';
import type { LogFilesActor } from './events.ts';

/** The log on the disk. */
export const logFiles = subsystem<LogFilesActor>()({
  ids: ['log-files'],
  group: 'upkeep',
});
