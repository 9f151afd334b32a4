import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A backlight class folder made of plain files. */
export interface BacklightTree {
  readonly root: string;
  /** Adds a device; fields left out are not files. */
  readonly add: (name: string, files: Readonly<Record<string, string | number>>) => Promise<void>;
  readonly remove: (name: string) => Promise<void>;
  readonly read: (name: string, file: string) => Promise<number>;
  readonly write: (name: string, file: string, value: number) => Promise<void>;
  readonly end: () => Promise<void>;
}

/** Makes an empty class folder under the system's temporary folder. */
export async function backlightTree(): Promise<BacklightTree> {
  const root = await mkdtemp(join(tmpdir(), 'sconce-backlight-'));
  return {
    root,
    add: async (name, files) => {
      await mkdir(join(root, name));
      await Promise.all(Object.entries(files).map(([file, value]) => writeFile(join(root, name, file), `${value}\n`)));
    },
    remove: (name) => rm(join(root, name), { recursive: true }),
    read: async (name, file) => {
      const text = (await readFile(join(root, name, file), 'utf8')).trim();
      // A plain file is empty for a moment while it is written; a file of the kernel never is.
      return text === '' ? Number.NaN : Number(text);
    },
    write: (name, file, value) => writeFile(join(root, name, file), `${value}\n`),
    end: () => rm(root, { recursive: true, force: true }),
  };
}
