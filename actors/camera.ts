import type { DriverLogic } from '#drivers/kit/from-driver.ts';
import type { CameraDriverCommand } from '#machines/camera/events.ts';
import { cameraMachine } from '#machines/camera/machine.ts';

import type { ChildSpec } from './kit/spec.ts';

/** What the camera's actor is wired to. */
export interface CameraDeps {
  readonly driver: DriverLogic<CameraDriverCommand, undefined>;
  /** Whether the profile says that there is no camera; the driver is not started then. */
  readonly suppressed: boolean;
}

/** Looking for a camera: permanent; asked to stop, it ends at once. */
export const cameraSpec = ({ driver, suppressed }: CameraDeps): ChildSpec => ({
  id: 'camera',
  logic: cameraMachine.provide({ actors: { devices: driver } }),
  input: () => ({ suppressed }),
  restart: 'permanent',
  stop: { event: { type: 'camera.stop' }, withinMs: 50 },
});
