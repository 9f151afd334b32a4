import type { DriverLogic } from '#drivers/kit/from-driver.ts';
import type { LogFilesCommand, LogFilesFact } from '#machines/log-files/events.ts';
import { logFiles } from '#machines/log-files/index.ts';
import { logFilesMachine } from '#machines/log-files/machine.ts';

import { part, type Part } from './kit/part.ts';

/** What the kept log's actor is wired to. */
export interface LogFilesDeps {
  /** Writes the lines to the disk (`openLogStore` of the log's drivers). */
  readonly files: DriverLogic<LogFilesCommand, undefined, LogFilesFact>;
}

/** The log on the disk. */
export const logFilesSpec = ({ files }: LogFilesDeps): Part =>
  part(logFiles, logFilesMachine.provide({ actors: { source: files } }));
