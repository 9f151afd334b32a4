import { join } from 'node:path';

import type { VideoDevice } from '#machines/camera/events.ts';

import { listVideo } from './linux.ts';

/** True for the node of a device that gives its pictures, by the kernel's index alone. */
const isFirstNode = ({ index }: VideoDevice): boolean => index === null || index === 0;

/**
 * Device files that may be the camera, in the order of their numbers: those of the device with that exact name, or of
 * all that `isCamera` takes for one. Opens none.
 */
export async function cameraNodes(
  name: string | null,
  root: string,
  isCamera: (device: VideoDevice) => boolean = isFirstNode,
): Promise<readonly string[]> {
  const nodes = (await listVideo(root)) ?? [];
  return nodes
    .filter(({ device }) => isCamera(device) && (name === null || device.name === name))
    .map(({ node }) => join(root, 'dev', node));
}
