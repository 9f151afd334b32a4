import { anyCamera, type CameraDevice } from '#drivers/camera/device.ts';

import { chosenFor, type PlacedPart } from './declared-parts.ts';
import type { ChosenDriver, ProfileShape } from './document.ts';
import type { DriverParts } from './driver-entry.ts';
import { make } from './make.ts';
import { cameraSlot } from './slots.ts';

/** What `auto` means, or nothing said at all; with the driver's defaults. */
const whicheverThereIs: ChosenDriver = { driver: 'camera.v4l2' };

const isAbsent = ({ hardware }: ProfileShape): boolean => hardware?.['camera'] === 'absent';

/**
 * The camera that a document of a Linux panel leaves to the system: it can be opened, so its risk and its needs are
 * those of a named one.
 */
export const impliedCamera = (document: ProfileShape): readonly PlacedPart[] =>
  document.platform.os !== 'linux' || isAbsent(document) || chosenFor(cameraSlot, document).length > 0
    ? []
    : [{ name: 'camera', slot: cameraSlot, index: 0, path: cameraSlot.path, part: whicheverThereIs }];

/**
 * The camera of a document; null if it says that there is none, or if it touches no hardware and names none. Throws
 * `UnresolvableProfileError` if this build cannot create it.
 */
export function cameraOf(document: ProfileShape, parts: DriverParts): CameraDevice | null {
  const [chosen] = chosenFor(cameraSlot, document);
  if (chosen !== undefined) return make(cameraSlot.family, chosen, parts);
  return isAbsent(document) || document.platform.os === 'simulated' ? null : anyCamera;
}
