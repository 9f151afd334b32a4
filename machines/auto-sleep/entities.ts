import { rowsOf } from '../kit/entity.ts';
import type { SnapshotView } from '../kit/snapshot.ts';
import type { AutoSleepActor, AutoSleepContext } from './events.ts';

const viewOf = (snapshot: SnapshotView<AutoSleepContext>) => snapshot.context.view;

export const rows = rowsOf<AutoSleepActor>([
  {
    entityKind: 'binary_sensor',
    key: 'auto_sleep_activity',
    name: 'Auto-sleep activity',
    icon: 'mdi:motion-sensor',
    actor: 'auto-sleep',
    expose: 'auto_sleep_activity',
    clearedWhenUnavailable: true,
    // The hours run without auto-sleep, and then nothing is known of the room.
    available: (snapshot) => snapshot.context.source !== null && viewOf(snapshot).phase !== 'off',
    read: (snapshot) => viewOf(snapshot).phase === 'holding',
    attributes: (snapshot) => ({
      source: snapshot.context.source,
      phase: viewOf(snapshot).phase,
      reason: viewOf(snapshot).reason,
    }),
  },
]);
