import { isFound } from '../kit/capability.ts';
import { rowsOf, telling } from '../kit/entity.ts';
import { objectionOfPart } from '../kit/objection.ts';
import { refuse } from '../kit/result.ts';
import type { SnapshotView } from '../kit/snapshot.ts';
import { endOfWrite } from '../kit/write-end.ts';
import type { VolumeContext, VolumeActor } from './events.ts';

const volume = (snapshot: SnapshotView<VolumeContext>): VolumeContext => snapshot.context;

/** The music stream's volume as a number. */
export const rows = rowsOf<VolumeActor>([
  {
    entityKind: 'number',
    key: 'volume',
    name: 'Volume',
    icon: 'mdi:volume-high',
    unit: '%',
    range: { min: 0, max: 100, step: 1 },
    actor: 'volume',
    capability: 'volume',
    expose: 'volume',
    found: isFound,
    available: (snapshot) => volume(snapshot).percent !== null,
    read: (snapshot) => volume(snapshot).percent,
    protects: null,
    objection: (snapshot) => objectionOfPart('volume', volume(snapshot).verdict),
    ends: (now) => endOfWrite('ready', now),
    write: (percent, origin) => {
      if (!(Number.isFinite(percent) && percent >= 0 && percent <= 100))
        return refuse('volume-out-of-range', 'Volume must be a number from 0 to 100.');
      return telling<VolumeActor>({ type: 'volume.set', percent, origin });
    },
  },
]);
