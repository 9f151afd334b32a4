import type { ArchivePart, MadeBackup, RestoreFailure } from './events.ts';

/** The parts of an archive inside a sentence. */
const parts: Readonly<Record<ArchivePart, string>> = {
  config: 'configuration',
  filter: 'entities of the dashboards',
  panel: 'state of this panel',
  profiles: 'saved profiles',
  companion: 'sign-in',
};

/** Why a backup is too large, one plain sentence. */
export const tooLargeWords = (part: ArchivePart): string =>
  `The backup was not made: the ${parts[part]} ${part === 'profiles' ? 'are' : 'is'} larger than a backup may hold.`;

/** Why the disk did not let a backup be made. */
export const diskWords = (reason: string): string =>
  `The backup was not made: the disk refused it (${reason}). Free or repair the disk and try again.`;

/** Why a backup was not made. */
export const notMadeWords = (made: Extract<MadeBackup, { readonly status: 'too-large' | 'failed' }>): string =>
  made.status === 'too-large' ? tooLargeWords(made.part) : diskWords(made.reason);

/** What an owner reads once a backup was made. */
export const madeWords = ({
  stateUnavailable,
}: Pick<Extract<MadeBackup, { readonly status: 'made' }>, 'stateUnavailable'>): string =>
  stateUnavailable
    ? 'A backup was made, but some of this panel’s state could not be read and is missing in it.'
    : 'A backup was made.';

/** Why a restore did not begin. */
export function notRestoredWords(reason: string): string {
  if (reason === 'newer-format')
    return 'Nothing was restored: a newer version of Sconce wrote the settings of this panel. Update Sconce, or reset everything first.';
  return reason === 'store-silent'
    ? 'Nothing was restored: the settings of this panel cannot be read now. Try again in a few seconds.'
    : `Nothing was restored: the disk refused it (${reason}). Free or repair the disk and try again.`;
}

/** What an owner reads while a restore could not be carried out, one plain text. */
export const failureWords = ({ code, again }: RestoreFailure): string =>
  again
    ? `A restore was asked for and could not be finished: the disk refused it (${code}). The next start tries again.`
    : `A restore was not carried out (${code}): everything is as it was before. If the disk is full or damaged, repair that, then restore the backup again.`;
