import { anyCamera, type CameraDevice } from '#drivers/camera/device.ts';
import { anyMicrophone, type MicrophoneDevice } from '#drivers/voice/device.ts';

import { chosenFor, type PlacedPart } from './declared-parts.ts';
import type { ProfileShape } from './document.ts';
import type { DriverParts } from './driver-entry.ts';
import { make } from './make.ts';
import { type FreePart, freeSlots, freeSlotRows, type Slot } from './slots.ts';

/** What `auto` means, or nothing said at all; with the driver's defaults. */
const whicheverThereIs: Readonly<Record<FreePart, string>> = { camera: 'camera.v4l2', microphone: 'microphone.system' };

const isAbsent = ({ hardware }: ProfileShape, name: FreePart): boolean => hardware?.[name] === 'absent';

/**
 * The parts that a document of a Linux panel leaves to the system: they can be opened, so their risks and needs are
 * those of named ones.
 */
export const impliedParts = (document: ProfileShape): readonly PlacedPart[] =>
  document.platform.os !== 'linux'
    ? []
    : freeSlotRows.flatMap(([name, slot]): readonly PlacedPart[] =>
        isAbsent(document, name) || chosenFor(slot, document).length > 0
          ? []
          : [{ name, slot, index: 0, path: slot.path, part: { driver: whicheverThereIs[name] } }],
      );

/** The part that a document names; null if it names none. Throws `UnresolvableProfileError` if it cannot be created. */
function namedOf<Made>(slot: Slot<Made>, document: ProfileShape, parts: DriverParts): Made | null {
  const [chosen] = chosenFor(slot, document);
  return chosen === undefined ? null : make(slot.family, chosen, parts);
}

/**
 * The camera of a document; null if it says that there is none, or if it touches no hardware and names none. Throws
 * `UnresolvableProfileError` if this build cannot create it.
 */
export const cameraOf = (document: ProfileShape, parts: DriverParts): CameraDevice | null =>
  namedOf(freeSlots.camera, document, parts) ??
  (isAbsent(document, 'camera') || document.platform.os === 'simulated' ? null : anyCamera);

/** The microphone of a document, as its camera; null on an Android panel, whose microphone is not reached. */
export const microphoneOf = (document: ProfileShape, parts: DriverParts): MicrophoneDevice | null =>
  namedOf(freeSlots.microphone, document, parts) ??
  (isAbsent(document, 'microphone') || document.platform.os !== 'linux' ? null : anyMicrophone);
