import { fromDriver, type DriverLogic } from '#drivers/kit/from-driver.ts';
import type { CameraDriverCommand, CameraFact } from '#machines/camera/events.ts';
import { camera } from '#machines/camera/index.ts';
import { type CameraInput, cameraMachine } from '#machines/camera/machine.ts';

import { part, type Part } from './kit/part.ts';

export interface CameraDeps {
  /** Scans the system's video devices; null if the profile says that there is no camera. */
  readonly driver: DriverLogic<CameraDriverCommand, undefined, CameraFact> | null;
}

const noScan = fromDriver<CameraDriverCommand, undefined, CameraFact>(() => {});

export const cameraSpec = ({ driver }: CameraDeps): Part =>
  part(camera, cameraMachine.provide({ actors: { source: driver ?? noScan } }), {
    input: (): CameraInput => ({ suppressed: driver === null }),
  });
