import { observed } from '../kit/observed.ts';
import type { LogFilesCommand, LogFilesContext, LogFilesEvent, LogFilesFact } from './events.ts';

/** Whether the log can be written to the disk. */
export const logFilesMachine = observed<LogFilesContext, LogFilesEvent>()<LogFilesCommand, LogFilesFact>({
  id: 'log-files',
  initial: () => ({ failure: null }),
  take: { 'log-files.told': (_, { failure }) => ({ failure }) },
  failed: 'log-files-driver',
});
