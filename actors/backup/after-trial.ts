import type { EndedJob, JobResult } from '#machines/maintenance/events.ts';
import type { ProfileCatalog } from '#machines/profile-catalog/listing.ts';

/** What is known of the last restore once the profile that came with it has not proven itself. */
export interface Amendment {
  readonly message: string;
  readonly result: JobResult;
}

const message = 'The backup was restored, but its profile did not work here, so the panel uses the previous one again.';

/** What the trial of a restored profile changes about how the restore ended; null if nothing. */
export function afterTrial(last: EndedJob | null, activation: ProfileCatalog['activation'] | null): Amendment | null {
  if (last?.kind !== 'restore' || activation?.state !== 'rolled_back') return null;
  const { profiles, ...result } = last.result;
  // Another trial would be of a later job.
  const isRestored = profiles?.status === 'succeeded' || profiles?.status === 'partial';
  if (!isRestored || activation.since < last.endedAt) return null;
  return { message, result: { ...result, status: 'partial', profiles: { ...profiles, status: 'rolled_back' } } };
}
