import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A class folder made of plain files, one folder per device. */
export interface SysfsTree {
  readonly root: string;
  /** Adds a device. */
  readonly add: (name: string, files: Readonly<Record<string, string | number>>) => Promise<void>;
  readonly remove: (name: string) => Promise<void>;
  /**
   * What stands in a file; a plain file is empty for a moment while it is written, which a file of the kernel never is.
   */
  readonly read: (name: string, file: string) => Promise<string>;
  readonly write: (name: string, file: string, value: string | number) => Promise<void>;
  readonly end: () => Promise<void>;
}

/** Makes an empty one under the system's temporary folder. */
export async function sysfsTree(): Promise<SysfsTree> {
  const root = await mkdtemp(join(tmpdir(), 'sconce-sysfs-'));
  return {
    root,
    add: async (name, files) => {
      await mkdir(join(root, name));
      await Promise.all(Object.entries(files).map(([file, value]) => writeFile(join(root, name, file), `${value}\n`)));
    },
    remove: (name) => rm(join(root, name), { recursive: true }),
    read: async (name, file) => {
      for (;;) {
        const text = (await readFile(join(root, name, file), 'utf8')).trim();
        if (text !== '') return text;
      }
    },
    write: async (name, file, value) => {
      // Exchanged whole: a plain file would be empty for a moment to a driver that reads it just then.
      const fresh = join(root, `.${file}`);
      await writeFile(fresh, `${value}\n`);
      await rename(fresh, join(root, name, file));
    },
    end: () => rm(root, { recursive: true, force: true }),
  };
}
