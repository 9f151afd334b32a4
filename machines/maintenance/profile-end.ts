import type { EpochMs } from '../kit/units.ts';
import type { ProfileCatalogContext } from '../profile-catalog/events.ts';
import type { JobStatus } from './events.ts';
import { interruptedWords, profileWords } from './words.ts';

/** What it is judged from. */
interface CatalogFacts {
  readonly boot: Pick<ProfileCatalogContext['boot'], 'commandLine' | 'issues'>;
  readonly catalog: Pick<NonNullable<ProfileCatalogContext['catalog']>, 'activation'> | null;
}

/** How an ordered change of the profile ended; null while it is on trial, or the catalogue is not read yet. */
export function profileEnd(
  context: CatalogFacts | undefined,
  since: EpochMs,
): { readonly status: JobStatus; readonly message: string } | null {
  const activation = context?.catalog?.activation;
  if (context === undefined || activation === undefined) return null;
  if (activation.state === 'trial') {
    // A start with a profile from the command line tries no other.
    const { commandLine, issues } = context.boot;
    const isTried = !commandLine && !issues.includes('record-not-written');
    return isTried ? null : { status: 'skipped', message: profileWords.untried };
  }
  // An interruption may have come before the selection was stored.
  if (activation.since < since) return { status: 'failed', message: interruptedWords('profile-select') };
  return activation.state === 'rolled_back'
    ? { status: 'rolled_back', message: profileWords.takenBack }
    : { status: 'succeeded', message: profileWords.kept };
}
