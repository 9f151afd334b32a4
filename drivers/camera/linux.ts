import { access, constants, readdir, readFile, readlink } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { ownUser } from '#drivers/kit/own-user.ts';
import type { CameraDriverCommand, CameraFact, VideoDevice } from '#machines/camera/events.ts';

/** Time between two looks. */
const LOOK_MS = 60_000;

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';

const read = (path: string): Promise<string | null> =>
  readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => null,
  );

const accessOf = (path: string): Promise<VideoDevice['access']> =>
  access(path, constants.R_OK | constants.W_OK).then(
    () => 'allowed' as const,
    (error: unknown) => (codeOf(error) === 'ENOENT' ? 'missing' : 'refused'),
  );

const VIDEO_NODE = /^video\d+$/;

/** Names in a folder; none when it does not exist, null when it may not be read. */
const list = (folder: string): Promise<string[] | null> =>
  readdir(folder).catch((error: unknown) => (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR' ? [] : null));

/**
 * Every video device below `root` with what the kernel says of it; null when the system would not list them. None is
 * opened.
 */
export const enumerateVideo = async (root = '/'): Promise<readonly VideoDevice[] | null> => {
  const sysfs = join(root, 'sys/class/video4linux');
  const listed = await list(sysfs);
  const nodes = await list(join(root, 'dev'));
  if (listed === null || nodes === null) return null;
  // A container may hold the device files without sysfs: such a node is counted, with nothing known of it.
  const names = [...new Set([...listed, ...nodes])].filter((name) => VIDEO_NODE.test(name)).toSorted();
  return Promise.all(
    names.map(async (name): Promise<VideoDevice> => {
      const folder = join(sysfs, name);
      const index = await read(join(folder, 'index'));
      return {
        name: (await read(join(folder, 'name'))) ?? name,
        driver: await readlink(join(folder, 'device/driver')).then(basename, () => null),
        index: index === null || !/^\d+$/.test(index) ? null : Number(index),
        access: await accessOf(join(root, 'dev', name)),
      };
    }),
  );
};

/** Lists the system's video devices at start, every minute and when asked to. */
export const linuxCamera = (root = '/') =>
  fromDriver<CameraDriverCommand, undefined, CameraFact>((scope) => {
    const look = async (): Promise<void> => {
      scope.send({ type: 'camera.enumerated', devices: await enumerateVideo(root), user: ownUser() });
    };
    scope.onEvent(look);
    const first = setTimeout(scope.guard(look), 0);
    const timer = setInterval(scope.guard(look), LOOK_MS);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
    };
  });
