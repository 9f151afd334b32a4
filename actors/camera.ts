import type { EventObject } from 'xstate';

import { fromDriver, type DriverLogic } from '#drivers/kit/from-driver.ts';
import { phaseOf } from '#machines/kit/session-phase.ts';
import type { CameraDriverCommand, CameraFact, SessionFact, SessionSummary } from '#machines/camera/events.ts';
import { camera } from '#machines/camera/index.ts';
import { type CameraInput, cameraMachine } from '#machines/camera/machine.ts';

import { followAll } from './kit/follow-all.ts';
import { part, type Part } from './kit/part.ts';
import type { Registry } from './kit/registry.ts';

export interface CameraDeps {
  readonly registry: Pick<Registry, 'follow'>;
  /** Scans the system's video devices; null if the profile says that there is no camera. */
  readonly driver: DriverLogic<CameraDriverCommand, undefined, CameraFact> | null;
}

const noScan = fromDriver<CameraDriverCommand, undefined, CameraFact>(() => {});

/** Reports the switch, and what the verdict must know of the session. */
const sessionFollower = (registry: Pick<Registry, 'follow'>) =>
  fromDriver<EventObject, undefined, SessionFact>(({ send }) =>
    followAll(
      registry,
      {
        settings: (snapshot) => snapshot?.context?.values.camera_enabled === true,
        'camera-session': (snapshot): SessionSummary | null => {
          const phase = snapshot === undefined ? null : phaseOf(snapshot.value);
          if (snapshot === undefined || phase === null) return null;
          const { fault, faultDetail } = snapshot.context;
          return { phase, fault, faultDetail };
        },
      },
      ({ settings: isEnabled, 'camera-session': session }) =>
        send({ type: 'camera.session-changed', isEnabled, session: isEnabled ? session : null }),
    ),
  );

export const cameraSpec = ({ registry, driver }: CameraDeps): Part =>
  part(
    camera,
    cameraMachine.provide({
      actors: { source: driver ?? noScan, follower: sessionFollower(registry) },
    }),
    { input: (): CameraInput => ({ suppressed: driver === null }) },
  );
