import { subsystem } from '../subsystem.ts';
import type { LogFilesActor } from './events.ts';

export const logFiles = subsystem<LogFilesActor>()({
  ids: ['log-files'],
  group: 'upkeep',
});
