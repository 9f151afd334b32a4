import { cameraSpec } from '#actors/camera.ts';
import { microphoneSpec } from '#actors/microphone.ts';
import { cameraScan } from '#drivers/camera/linux.ts';
import { microphoneScan } from '#drivers/microphone/linux.ts';
import { orderFile } from '#drivers/microphone/order-file.ts';
import { chunk } from '#machines/kit/chunk.ts';
import { present, presentIn, type Wiring } from './deps.ts';

const chunks = {
  announcer: chunk(() => import('./announcer.ts')),
  camera: chunk(() => import('./camera.ts')),
  inUse: chunk(() => import('./in-use.ts')),
  voice: chunk(() => import('./voice.ts')),
  volume: chunk(() => import('#actors/volume.ts')),
};

const elapsed = (): number => performance.now();

export const mediaParts: Wiring = (deps) => {
  const { registry, profile, folder, readOnly } = deps;
  return [
    ...presentIn([profile.slots.volume], async (one) => (await chunks.volume()).volumeSpec({ registry, ...one })),
    ...presentIn([profile.slots.loudspeaker], async ({ driver }) =>
      (await chunks.announcer()).announcerPart(deps, driver),
    ),
    cameraSpec({ registry, driver: profile.camera === null ? null : cameraScan(profile.camera) }),
    microphoneSpec({
      registry,
      driver: profile.microphone === null ? null : microphoneScan(profile.microphone),
      orders: readOnly ? null : orderFile(folder),
      elapsed,
    }),
    // Off until a person at the panel has turned the camera on, or allowed the microphone.
    ...present('in-use', profile.camera ?? profile.microphone, async () => (await chunks.inUse()).inUsePart(deps)),
    ...present('camera-session', profile.camera, async (device) =>
      (await chunks.camera()).cameraSessionPart(deps, device),
    ),
    // Off until it is turned on, and the microphone was allowed at the panel.
    ...present('voice', profile.microphone, async (device) => (await chunks.voice()).voicePart(deps, device)),
  ];
};
