import { rowsOf } from '../kit/entity.ts';
import type { SnapshotView } from '../kit/snapshot.ts';
import type { CameraSessionActor, CameraSessionContext } from './events.ts';

const PATH = '/api/v1/camera/snapshot.jpg';

const isOn = ({ value }: SnapshotView<CameraSessionContext>): boolean => value !== 'off';

/** The still of the camera (contract, "Platform entities"): Home Assistant is given its URL, never the picture. */
export const rows = rowsOf<CameraSessionActor>([
  {
    entityKind: 'image',
    key: 'camera_snapshot',
    name: 'Camera snapshot',
    icon: 'mdi:camera',
    actor: 'camera-session',
    capability: 'camera',
    foundByCapability: true,
    // Also in `stopping`, which ends each session: the entity would go away for a moment after every picture.
    available: isOn,
    // None while off, so that the first one after it is published whatever its number.
    read: (snapshot) => (isOn(snapshot) ? { path: PATH, sequence: snapshot.context.stillSequence } : null),
  },
]);
