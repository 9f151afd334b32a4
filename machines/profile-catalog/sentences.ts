import type { SetbackReason } from './activation.ts';
import type { BootIssue } from './boot.ts';

const issues: Readonly<Record<BootIssue, string>> = {
  'record-damaged':
    'What was selected could not be read, so this panel uses the profile that matches it. Select again what you want.',
  'record-not-written':
    'The trial of the profile could not be written to the disk, so it was not started. Free or repair the disk.',
  'ended-before-health': 'The last start ended before it was known to work.',
  'http-silent': 'The pages did not answer.',
  'base-down': 'The store or the settings did not come up.',
  'screen-not-settled': 'The search for the screen did not end.',
  'screen-not-proven': 'The screen, which worked before, did not answer.',
  'revision-missing': 'The selected revision is not in the catalogue any more.',
  'revision-damaged':
    'The file of this revision does not hold the bytes that were saved; it is never used. Delete it and import it again.',
  'revision-invalid': 'This version of Sconce cannot use this revision. Correct the profile and import it again.',
};

/** One sentence for a problem of the start. */
export const issueSentence = (code: BootIssue): string => issues[code];

/** Why a trial was taken back, for the pages; `id` is null for the automatic profile. */
export const noticeOf = (reason: SetbackReason, id: string | null): string =>
  `The profile ${id === null ? 'that matches this panel' : `"${id}"`} was tried and taken back. ${issues[reason]}`;
