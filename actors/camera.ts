import { fromDriver, type DriverLogic } from '#drivers/kit/from-driver.ts';
import type { CameraDriverCommand, CameraFact } from '#machines/camera/events.ts';
import { camera } from '#machines/camera/index.ts';
import { type CameraInput, cameraMachine } from '#machines/camera/machine.ts';

import { part, type Part } from './kit/part.ts';

export interface CameraDeps {
  readonly driver: DriverLogic<CameraDriverCommand, undefined, CameraFact>;
  /** True if the profile says that there is no camera; the driver is then not started. */
  readonly suppressed: boolean;
}

const noScan = fromDriver<CameraDriverCommand, undefined, CameraFact>(() => {});

export const cameraSpec = ({ driver, suppressed }: CameraDeps): Part =>
  part(camera, cameraMachine.provide({ actors: { source: suppressed ? noScan : driver } }), {
    input: (): CameraInput => ({ suppressed }),
  });
