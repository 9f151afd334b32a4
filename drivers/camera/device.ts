import type { SimulatedDevice } from '#drivers/simulator/device.ts';

/** Clockwise turn of the picture, in degrees. */
export type Rotation = 0 | 90 | 180 | 270;

/** The camera of a profile. It is read at every start, so this file loads nothing that opens one. */
export type CameraDevice =
  | {
      readonly kind: 'v4l2';
      /** The kernel's exact name of the device; null takes the first camera. */
      readonly name: string | null;
      readonly rotate: Rotation;
    }
  | { readonly kind: 'simulated'; readonly device: SimulatedDevice };

/** Whichever camera the system shows. */
export const anyCamera: CameraDevice = { kind: 'v4l2', name: null, rotate: 0 };
