import { partLine } from '../kit/diag.ts';
import { subsystem, textLines } from '../subsystem.ts';
import type { LogFilesActor } from './events.ts';

/** The log on the disk. */
export const logFiles = subsystem<LogFilesActor>()({
  ids: ['log-files'],
  group: 'upkeep',
  diag: [
    textLines({
      order: 37,
      reads: ['log-files'],
      lines: ({ read, tree }) => {
        const files = read('log-files');
        return [partLine('log-files', tree, 'log-files', files && { failure: files.failure ?? 'none' })];
      },
    }),
  ],
});
