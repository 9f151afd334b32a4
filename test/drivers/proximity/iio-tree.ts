import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that looks like the kernel's list of industrial I/O devices. */
export interface IioTree {
  readonly folder: string;
  /** Puts a device there, or replaces its readings. */
  readonly put: (number: number, name: string, readings: Readonly<Record<string, string>>) => Promise<void>;
  readonly remove: (number: number) => Promise<void>;
  readonly end: () => Promise<void>;
}

/** Makes an empty one. */
export const iioTree = async (): Promise<IioTree> => {
  const folder = await mkdtemp(join(tmpdir(), 'sconce-iio-'));
  const of = (number: number): string => join(folder, `iio:device${number}`);
  return {
    folder,
    put: async (number, name, readings) => {
      await mkdir(of(number), { recursive: true });
      for (const [file, text] of Object.entries({ name: `${name}\n`, ...readings })) {
        const path = join(of(number), file);
        // Swapped whole, as the kernel gives a whole reading; through the same file, as sysfs keeps its.
        await writeFile(path, text, { flag: 'w' });
      }
    },
    remove: async (number) => {
      // An open file of a device that is gone gives an error; one of a plain folder does not, so it is emptied first.
      await writeFile(join(of(number), 'in_proximity_raw'), '').catch(() => {});
      await rename(of(number), join(folder, `gone-${number}-${Date.now()}`));
    },
    end: () => rm(folder, { recursive: true, force: true }),
  };
};
