import type { DriverLogic } from '#drivers/kit/from-driver.ts';
import type { LogFilesCommand, LogFilesFact } from '#machines/log-files/events.ts';
import { logFiles } from '#machines/log-files/index.ts';
import { logFilesMachine } from '#machines/log-files/machine.ts';

import { part, type Part } from './kit/part.ts';

export interface LogFilesDeps {
  /** Writes the lines to the disk (`openLogStore` in `drivers/log`). */
  readonly files: DriverLogic<LogFilesCommand, undefined, LogFilesFact>;
}

/** Keeps the log on the disk. */
export const logFilesSpec = ({ files }: LogFilesDeps): Part =>
  part(logFiles, logFilesMachine.provide({ actors: { source: files } }));
