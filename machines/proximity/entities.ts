import { rowsOf } from '../kit/entity.ts';
import type { SnapshotView } from '../kit/snapshot.ts';
import { isTrusted } from './decide.ts';
import type { ProximityContext, ProximityActor } from './events.ts';
import { proximitySnapshot } from './snapshot.ts';

const facts = (snapshot: SnapshotView<ProximityContext>): ProximityContext => snapshot.context;

const base = {
  actor: 'proximity',
  capability: 'proximity',
  clearedWhenUnavailable: true,
  shown: (snapshot: SnapshotView<ProximityContext>) => facts(snapshot).shown,
  available: (snapshot: SnapshotView<ProximityContext>) => isTrusted(proximitySnapshot(snapshot)),
} as const;

export const rows = rowsOf<ProximityActor>([
  {
    ...base,
    entityKind: 'binary_sensor',
    key: 'proximity',
    name: 'Proximity',
    deviceClass: 'occupancy',
    expose: 'proximity',
    read: (snapshot) => facts(snapshot).near,
  },
  {
    ...base,
    entityKind: 'sensor',
    key: 'proximity_level',
    name: 'Proximity level',
    icon: 'mdi:hand-wave',
    stateClass: 'measurement',
    unit: '%',
    precision: 0,
    expose: 'proximity_level',
    read: (snapshot) => facts(snapshot).level,
  },
]);
