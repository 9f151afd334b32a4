import type { EntityRow } from '../kit/entity.ts';
import type { SnapshotView } from '../kit/snapshot.ts';
import { isTrusted } from './decide.ts';
import type { ProximityContext } from './events.ts';

// The rows read only the actor they name, and that actor's context is a ProximityContext.
const facts = (snapshot: SnapshotView): ProximityContext => snapshot.context as ProximityContext;

const base = {
  actor: 'proximity',
  capability: 'proximity',
  clearedWhenUnavailable: true,
  shown: (snapshot: SnapshotView) => facts(snapshot).shown,
  available: (snapshot: SnapshotView) => isTrusted(facts(snapshot)),
} as const;

/** Whether somebody is near, and how near. */
export const rows: readonly EntityRow[] = [
  {
    ...base,
    platform: 'binary_sensor',
    key: 'proximity',
    name: 'Proximity',
    deviceClass: 'occupancy',
    expose: 'proximity',
    read: (snapshot) => facts(snapshot).near,
  },
  {
    ...base,
    platform: 'sensor',
    key: 'proximity_level',
    name: 'Proximity level',
    icon: 'mdi:hand-wave',
    stateClass: 'measurement',
    unit: '%',
    precision: 0,
    expose: 'proximity_level',
    read: (snapshot) => facts(snapshot).level,
  },
];
