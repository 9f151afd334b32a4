import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { TEMPORARY } from '#drivers/store/folder.ts';

/** Prefix of this subsystem's files; other subsystems may share the folder. */
const PREFIX = 'announcement-';

/** The fetched sounds on the disk. */
export interface TemporaryFiles {
  readonly folder: string;
  /** Creates the folder if it is missing; false if it cannot be. */
  readonly prepare: () => boolean;
  /** Name for a new file in the folder, which is created if missing; null if it cannot be. */
  readonly name: () => string | null;
  /** Removes one file; a missing file is not a failure. */
  readonly remove: (name: string) => void;
  /** Removes every file of this subsystem except the named one, including those of a killed agent. */
  readonly sweep: (kept: string) => void;
}

/** Files under `<data folder>/tmp`, inaccessible to other users. */
export function temporaryFiles(dataFolder: string): TemporaryFiles {
  const folder = join(dataFolder, TEMPORARY);
  const remove = (name: string): void => {
    try {
      rmSync(join(folder, name), { force: true });
    } catch {
      // The disk has become read-only; the next start removes the file.
    }
  };
  const prepare = (): boolean => {
    try {
      // Not `recursive`: the data folder exists, and on some file systems Node never returns from a recursive mkdir.
      if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
      return true;
    } catch {
      return false;
    }
  };
  return {
    folder,
    prepare,
    name: () => (prepare() ? `${PREFIX}${randomUUID()}` : null),
    remove,
    sweep: (kept) => {
      let names: string[];
      try {
        names = readdirSync(folder);
      } catch {
        // No folder yet: nothing was ever fetched.
        return;
      }
      for (const name of names) if (name.startsWith(PREFIX) && name !== kept) remove(name);
    },
  };
}
