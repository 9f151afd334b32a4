import { constants, mkdir, mkdtemp, open, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Longer than any line that is put there. */
const LINE_LENGTH = 24;

/** A folder that looks like the kernel's list of industrial I/O devices. */
export interface IioTree {
  readonly folder: string;
  /** Puts a device there, or replaces its readings. */
  readonly put: (number: number, name: string, readings: Readonly<Record<string, string>>) => Promise<void>;
  readonly remove: (number: number) => Promise<void>;
  readonly end: () => Promise<void>;
}

/** Makes an empty one. */
export async function iioTree(): Promise<IioTree> {
  const folder = await mkdtemp(join(tmpdir(), 'sconce-iio-'));
  const of = (number: number): string => join(folder, `iio:device${number}`);
  return {
    folder,
    put: async (number, name, readings) => {
      await mkdir(of(number), { recursive: true });
      for (const [file, text] of Object.entries({ name: `${name}\n`, ...readings })) {
        const path = join(of(number), file);
        // In place and over all that stood there: a reading of the kernel is never empty for a moment, and a driver
        // keeps its file open.
        const handle = await open(path, constants.O_WRONLY | constants.O_CREAT);
        try {
          await handle.write(text.trimEnd().padEnd(LINE_LENGTH), 0);
        } finally {
          await handle.close();
        }
      }
    },
    remove: async (number) => {
      // An open file of a device that is gone gives an error; one of a plain folder does not, so it is emptied first.
      await writeFile(join(of(number), 'in_proximity_raw'), '').catch(() => {});
      await rename(of(number), join(folder, `gone-${number}-${Date.now()}`));
    },
    end: () => rm(folder, { recursive: true, force: true }),
  };
}
