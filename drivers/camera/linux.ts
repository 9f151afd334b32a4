import { access, constants, readdir, readFile, readlink } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { errorCode } from '#drivers/kit/error-code.ts';
import { fromDriver, type DriverLogic } from '#drivers/kit/from-driver.ts';
import { ownUser } from '#drivers/kit/own-user.ts';
import { rounds } from '#drivers/kit/rounds.ts';
import type { SimulatedDevice } from '#drivers/simulator/device.ts';
import type { CameraDriverCommand, CameraFact, VideoDevice } from '#machines/camera/events.ts';

import type { CameraDevice } from './device.ts';

/** Pause between two scans. */
const SCAN_MS = 60_000;

/** The camera of the simulated panel. */
const SIMULATED = { name: 'Simulated camera', driver: 'simulated', index: 0 } as const;

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

/** A video device, with the name of its device file (`video0`). */
export interface VideoNode {
  readonly node: string;
  readonly device: VideoDevice;
}

const byNumber = (one: string, other: string): number => Number(one.slice(5)) - Number(other.slice(5));

/**
 * Lists every video device below `root` by number with the kernel's facts about it, opening none; null if the folders
 * cannot be read.
 */
export async function listVideo(root = '/'): Promise<readonly VideoNode[] | null> {
  const sysfs = join(root, 'sys/class/video4linux');
  const listed = await list(sysfs);
  const nodes = await list(join(root, 'dev'));
  if (listed === null || nodes === null) return null;
  // A container may have the device files without sysfs: such a node is listed without facts.
  const names = [...new Set([...listed, ...nodes])].filter((name) => VIDEO_NODE.test(name)).toSorted(byNumber);
  return Promise.all(
    names.map(async (node): Promise<VideoNode> => {
      const folder = join(sysfs, node);
      const index = await read(join(folder, 'index'));
      const device: VideoDevice = {
        name: (await read(join(folder, 'name'))) ?? node,
        driver: await readlink(join(folder, 'device/driver')).then(basename, () => null),
        index: index === null || !/^\d+$/.test(index) ? null : Number(index),
        access: await accessOf(join(root, 'dev', node)),
      };
      return { node, device };
    }),
  );
}

/** The same without the device files, in the form in which it is reported. */
export const enumerateVideo = async (root = '/'): Promise<readonly VideoDevice[] | null> =>
  (await listVideo(root))?.map(({ device }) => device) ?? null;

/** Lists the system's video devices, or those of one name, at start, every minute and on command. */
const scanSystem = (name: string | null, root: string) =>
  fromDriver<CameraDriverCommand, undefined, CameraFact>((scope) => {
    const scans = rounds(scope, async () => {
      const found = await enumerateVideo(root);
      const devices = found?.filter((device) => name === null || device.name === name) ?? null;
      scope.send({ type: 'camera.enumerated', devices, user: ownUser() });
      return SCAN_MS;
    });
    scope.onEvent(scans.now);
    scans.nextIn(0);
    return () => void scans.stop();
  });

/** Reports the camera of the simulated panel, whenever it is pulled out, put back, or forbidden. */
const scanSimulated = (simulated: SimulatedDevice) =>
  fromDriver<CameraDriverCommand, undefined, CameraFact>(({ send, onEvent, guard }) => {
    const report = guard(() => {
      const { plugged, permitted } = simulated.panel.camera;
      const seen: VideoDevice = { ...SIMULATED, access: permitted ? 'allowed' : 'refused' };
      const devices = plugged ? [seen] : [];
      send({ type: 'camera.enumerated', devices, user: ownUser() });
    });
    onEvent(report);
    report();
    return simulated.observe(report, ['camera']);
  });

/** Says which cameras there are, without opening any. A device that the profile names counts alone. */
export const cameraScan = (device: CameraDevice, root = '/'): DriverLogic<CameraDriverCommand, undefined, CameraFact> =>
  device.kind === 'simulated' ? scanSimulated(device.device) : scanSystem(device.name, root);
