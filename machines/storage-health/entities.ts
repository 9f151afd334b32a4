import { rowsOf } from '../kit/entity.ts';
import type { SnapshotView } from '../kit/snapshot.ts';
import type { StorageHealthContext, StorageHealthObject, StorageHealthActor } from './events.ts';

const healthOf = (snapshot: SnapshotView<StorageHealthContext>): StorageHealthObject => snapshot.context.health;

const MIB = 1024 * 1024;

/** Whole mebibytes, so that not every inspection of a busy disk publishes a new state; null if unknown. */
const mebibytes = (bytes: number | null): number | null => (bytes === null ? null : Math.floor(bytes / MIB));

/** Storage health with its evidence (contract, "Platform entities"); always published. */
export const rows = rowsOf<StorageHealthActor>([
  {
    entityKind: 'sensor',
    key: 'storage_health',
    name: 'Storage health',
    icon: 'mdi:harddisk',
    category: 'diagnostic',
    actor: 'storage-health',
    available: () => true,
    read: (snapshot) => healthOf(snapshot).state,
    attributes: (snapshot) => {
      const health = healthOf(snapshot);
      return {
        pressure_state: health.pressure_state,
        usable_mib: mebibytes(health.usable_bytes),
        total_mib: mebibytes(health.total_bytes),
        used_percent: health.used_percent,
        database_bytes: health.database_bytes,
        sidecar_bytes: health.sidecar_bytes,
        profiles_bytes: health.profiles_bytes,
        other_bytes: health.other_bytes,
        growth_bytes_per_day: health.growth_bytes_per_day,
        quick_check: health.quick_check,
        quick_checked_at: health.quick_checked_at === null ? null : new Date(health.quick_checked_at).toISOString(),
        failure: health.failure,
        summary: health.summary,
        action: health.action,
      };
    },
  },
]);
