import { access, constants, readdir, readFile, readlink } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { errorCode } from '#drivers/kit/error-code.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import { ownUser } from '#drivers/kit/own-user.ts';
import { rounds } from '#drivers/kit/rounds.ts';
import type { CameraDriverCommand, CameraFact, VideoDevice } from '#machines/camera/events.ts';

/** Pause between two scans. */
const SCAN_MS = 60_000;

const NO_FOLDER = new Set(['ENOENT', 'ENOTDIR']);

const read = (path: string): Promise<string | null> =>
  readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => null,
  );

const accessOf = (path: string): Promise<VideoDevice['access']> =>
  access(path, constants.R_OK | constants.W_OK).then(
    () => 'allowed' as const,
    (error: unknown) => (errorCode(error) === 'ENOENT' ? 'missing' : 'refused'),
  );

const VIDEO_NODE = /^video\d+$/;

/** Names in a folder; empty if it does not exist, null if it cannot be read. */
const list = (folder: string): Promise<string[] | null> =>
  readdir(folder).catch((error: unknown) => (NO_FOLDER.has(errorCode(error)) ? [] : null));

/**
 * Lists every video device below `root` with the kernel's facts about it, opening none; null if the folders cannot be
 * read.
 */
export async function enumerateVideo(root = '/'): Promise<readonly VideoDevice[] | null> {
  const sysfs = join(root, 'sys/class/video4linux');
  const listed = await list(sysfs);
  const nodes = await list(join(root, 'dev'));
  if (listed === null || nodes === null) return null;
  // A container may have the device files without sysfs: such a node is listed without facts.
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
}

/** Lists the system's video devices at start, every minute and on command. */
export const linuxCamera = (root = '/') =>
  fromDriver<CameraDriverCommand, undefined, CameraFact>((scope) => {
    const scans = rounds(scope, async () => {
      scope.send({ type: 'camera.enumerated', devices: await enumerateVideo(root), user: ownUser() });
      return SCAN_MS;
    });
    scope.onEvent(scans.now);
    scans.nextIn(0);
    return () => void scans.stop();
  });
