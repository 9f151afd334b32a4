import { cameraSpec } from '#actors/camera.ts';
import { cameraScan } from '#drivers/camera/linux.ts';
import { chunk } from '#machines/kit/chunk.ts';
import { present, presentIn, type Wiring } from './deps.ts';

const chunks = {
  announcer: chunk(() => import('./announcer.ts')),
  camera: chunk(() => import('./camera.ts')),
  volume: chunk(() => import('#actors/volume.ts')),
};

export const mediaParts: Wiring = (deps) => {
  const { registry, profile } = deps;
  return [
    ...presentIn([profile.slots.volume], async (one) => (await chunks.volume()).volumeSpec({ registry, ...one })),
    ...presentIn([profile.slots.loudspeaker], async ({ driver }) =>
      (await chunks.announcer()).announcerPart(deps, driver),
    ),
    cameraSpec({ registry, driver: profile.camera === null ? null : cameraScan(profile.camera) }),
    // Both are off until a person has turned the camera on at the panel.
    ...present('in-use', profile.camera, async () => (await chunks.camera()).inUsePart(deps)),
    ...present('camera-session', profile.camera, async (device) =>
      (await chunks.camera()).cameraSessionPart(deps, device),
    ),
  ];
};
