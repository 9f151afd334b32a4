import type { EntityRow } from '../kit/entity.ts';
import type { SnapshotView } from '../kit/snapshot.ts';
import type { SensorContext, SensorId } from './events.ts';
import { ranges, shownValue } from './ranges.ts';

// A row is only ever given snapshots of the actor it names, whose context has this type.
const sensor = (snapshot: SnapshotView): SensorContext => snapshot.context as SensorContext;

const row = (key: SensorId, name: string, unit: string): EntityRow => ({
  platform: 'sensor',
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

/** The sensors of the room (contract, "Platform entities"); left out where the profile declares them absent. */
export const rows: readonly EntityRow[] = [
  row('illuminance', 'Illuminance', 'lx'),
  row('temperature', 'Temperature', '°C'),
  row('humidity', 'Humidity', '%'),
];
