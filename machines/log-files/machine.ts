import { observed } from '../kit/observed.ts';
import type { LogFilesCommand, LogFilesContext, LogFilesEvent, LogFilesFact } from './events.ts';

/** The log on the disk: whether it can be kept there. */
export const logFilesMachine = observed<LogFilesContext, LogFilesEvent>()<LogFilesCommand, LogFilesFact>({
  id: 'log-files',
  initial: () => ({ failure: null }),
  take: { 'log-files.told': (_, { failure }) => ({ failure }) },
  failed: 'log-files-driver',
});
