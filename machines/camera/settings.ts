import { z } from 'zod';
import type { CameraResolution } from '../camera-session/events.ts';
import { cameraHeights, defaultEncoding, encodeBounds } from '../kit/camera.ts';
import { setting, wholeNumber } from '../kit/fields.ts';
import type { SettingMeta } from '../kit/setting.ts';

const shared = { group: 'camera', scope: 'device', needs: 'camera' } as const satisfies Partial<SettingMeta>;

// The keys of a constant object are exactly its names.
const resolutions = Object.keys(cameraHeights) as CameraResolution[];

/** Settings of the camera. Those of the encoder are for the next session; the address of the stream overrides them. */
export const cameraSettings = z.object({
  camera_enabled: setting(z.boolean(), false, {
    ...shared,
    title: 'Camera',
    help: 'Everybody on this network can then watch, without a password. A mark on the screen shows when it is in use.',
    tier: 'basic',
    ha: { entityKind: 'switch', icon: 'mdi:camera' },
    exposedByDefault: true,
    consent: 'CAMERA_ENABLE',
  }),
  camera_resolution: setting(z.enum(resolutions), defaultEncoding.resolution, {
    ...shared,
    title: 'Resolution of the camera',
    help: 'The largest height of a picture; a smaller one is never enlarged.',
    tier: 'basic',
  }),
  camera_fps: setting(wholeNumber(encodeBounds.fps), defaultEncoding.fps, {
    ...shared,
    title: 'Frame rate of the camera',
    help: 'Pictures per second, where the camera delivers that many.',
    tier: 'advanced',
    unit: 'fps',
  }),
  camera_kbps: setting(wholeNumber(encodeBounds.kbps), defaultEncoding.kbps, {
    ...shared,
    title: 'Bit rate of the camera',
    help: 'More gives a sharper picture and takes more of the network.',
    tier: 'advanced',
    unit: 'kbit/s',
  }),
});
