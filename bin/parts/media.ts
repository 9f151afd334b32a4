import { cameraSpec } from '#actors/camera.ts';
import { linuxCamera } from '#drivers/camera/linux.ts';
import { chunk } from '#machines/kit/chunk.ts';
import { presentIn, type Wiring } from './deps.ts';

const chunks = {
  announcer: chunk(() => import('./announcer.ts')),
  volume: chunk(() => import('#actors/volume.ts')),
};

export const mediaParts: Wiring = (deps) => {
  const { registry, profile } = deps;
  return [
    ...presentIn([profile.slots.volume], async (one) => (await chunks.volume()).volumeSpec({ registry, ...one })),
    ...presentIn([profile.slots.loudspeaker], async ({ driver }) =>
      (await chunks.announcer()).announcerPart(deps, driver),
    ),
    cameraSpec({ driver: linuxCamera(), suppressed: profile.cameraSuppressed }),
  ];
};
