import { existsSync } from 'node:fs';

import type { EncodeRequest } from '#machines/camera-session/events.ts';
import type { VideoDevice } from '#machines/camera/events.ts';

import type { CameraDevice } from './device.ts';
import { inputFormats, v4l2Input } from './ffmpeg-line.ts';
import { cameraNodes } from './nodes.ts';
import { simulatedSource } from './simulated.ts';
import type { CaptureSource } from './source.ts';

export interface SourceFacts {
  readonly device: CameraDevice;
  readonly root: string;
  readonly request: EncodeRequest;
  readonly isCamera: ((device: VideoDevice) => boolean) | undefined;
}

/** The ways to open a camera, in the order in which they are tried. */
export async function sourcesOf({ device, root, request, isCamera }: SourceFacts): Promise<readonly CaptureSource[]> {
  if (device.kind === 'simulated') return [simulatedSource(device.device, request)];
  const nodes = await cameraNodes(device.name, root, isCamera);
  return nodes.flatMap((node) =>
    inputFormats.map((format) => ({
      node,
      input: v4l2Input(node, format, request),
      rotate: device.rotate,
      isGone: () => !existsSync(node),
    })),
  );
}
