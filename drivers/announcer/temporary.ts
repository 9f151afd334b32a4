import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { TEMPORARY } from '#drivers/store/folder.ts';

/** What the names of this subsystem's files begin with; others may keep theirs beside them. */
const PREFIX = 'announcement-';

/** The fetched sounds on the disk. */
export interface TemporaryFiles {
  readonly folder: string;
  /** Name of a new file in the folder, which is made if need be; null where it cannot be. */
  readonly name: () => string | null;
  /** Removes one; a file that is not there is no failure. */
  readonly remove: (name: string) => void;
  /** Removes every file of this subsystem but the named one, also those that a killed agent left. */
  readonly sweep: (kept: string) => void;
}

/** Files under `<data folder>/tmp`, closed to other users. */
export function temporaryFiles(dataFolder: string): TemporaryFiles {
  const folder = join(dataFolder, TEMPORARY);
  const remove = (name: string): void => {
    try {
      rmSync(join(folder, name), { force: true });
    } catch {
      // A disk that has become read-only: the next start sweeps.
    }
  };
  return {
    folder,
    name: () => {
      try {
        // Not `recursive`: the data folder is there, and Node never comes back from that on some file systems.
        if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
        return `${PREFIX}${randomUUID()}`;
      } catch {
        return null;
      }
    },
    remove,
    sweep: (kept) => {
      let names: string[];
      try {
        names = readdirSync(folder);
      } catch {
        // No such folder yet: nothing was ever fetched.
        return;
      }
      for (const name of names) if (name.startsWith(PREFIX) && name !== kept) remove(name);
    },
  };
}
