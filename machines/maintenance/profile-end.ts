import type { EpochMs } from '../kit/units.ts';
import type { ProfileCatalogContext } from '../profile-catalog/events.ts';
import type { JobStatus } from './events.ts';
import { interruptedWords, profileWords } from './words.ts';

/** How an ordered change of the profile ended; null while it is on trial, or the catalogue is not read yet. */
export function profileEnd(
  catalog: Pick<ProfileCatalogContext, 'catalog'> | undefined,
  since: EpochMs,
): { readonly status: JobStatus; readonly message: string } | null {
  const activation = catalog?.catalog?.activation;
  if (activation === undefined || activation.state === 'trial') return null;
  // An interruption may have come before the selection was stored.
  if (activation.since < since) return { status: 'failed', message: interruptedWords('profile-select') };
  return activation.state === 'rolled_back'
    ? { status: 'rolled_back', message: profileWords.takenBack }
    : { status: 'succeeded', message: profileWords.kept };
}
