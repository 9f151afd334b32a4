import { type EntityRow, rowsOf } from '../kit/entity.ts';
import type { SnapshotView } from '../kit/snapshot.ts';
import type { SensorContext, SensorId, SensorActor } from './events.ts';
import { ranges, shownValue } from './ranges.ts';

const sensor = (snapshot: SnapshotView<SensorContext>): SensorContext => snapshot.context;

const row = (key: SensorId, name: string, unit: string): EntityRow<SensorActor> => ({
  entityKind: 'sensor',
  key,
  name,
  deviceClass: key,
  stateClass: 'measurement',
  unit,
  precision: ranges[key].digits,
  actor: key,
  capability: key,
  expose: key,
  shown: (snapshot) => sensor(snapshot).shown,
  available: (snapshot) => sensor(snapshot).published !== null,
  read: (snapshot) => {
    const { published, offset } = sensor(snapshot);
    return shownValue(key, published?.value ?? null, offset);
  },
});

/** The sensors of the room (contract, "Platform entities"); those that the profile declares absent are left out. */
export const rows = rowsOf<SensorActor>([
  row('illuminance', 'Illuminance', 'lx'),
  row('temperature', 'Temperature', '°C'),
  row('humidity', 'Humidity', '%'),
]);
