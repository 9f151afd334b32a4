import { readdir, readFile, realpath } from 'node:fs/promises';

/** Folder of the first device in a class of sysfs that fits, or null. */
export async function inClass(root: string, fits: (folder: string) => Promise<boolean>): Promise<string | null> {
  const names = await readdir(root).catch(() => []);
  for (const name of names) if (await fits(`${root}/${name}`).catch(() => false)) return `${root}/${name}`;
  return null;
}

/** Text of an attribute without its line's end. */
export const attribute = async (file: string): Promise<string> => (await readFile(file, 'utf8')).trim();

/** Whether a device was made by a process and not found on the machine. */
const isPluggedIn = async (folder: string): Promise<boolean> => (await realpath(folder)).includes('/uhid/');

/** Folder of a plugged-in lamp whose name ends like this, `:rgb:indicator`. */
export const lampFolder = (end: string): Promise<string | null> =>
  inClass('/sys/class/leds', async (folder) => folder.endsWith(end) && (await isPluggedIn(folder)));

/**
 * Path of the raw value of the IIO device that has a channel of this name, `in_illuminance`; older kernels do not
 * number it.
 */
export async function iioRaw(channel: string): Promise<string | null> {
  const isRaw = new RegExp(`^${channel}\\d*_raw$`, 'v');
  let raw: string | null = null;
  await inClass('/sys/bus/iio/devices', async (folder) => {
    const name = (await readdir(folder)).find((file) => isRaw.test(file));
    if (name !== undefined) raw = `${folder}/${name}`;
    return name !== undefined;
  });
  return raw;
}

/** Folder of the hwmon device of this name. */
export const hwmonFolder = (name: string): Promise<string | null> =>
  inClass('/sys/class/hwmon', async (folder) => (await attribute(`${folder}/name`)) === name);
