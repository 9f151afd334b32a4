import type { ResetScope } from '../reset/events.ts';
import type { JobKind, RunningJob } from './events.ts';

/** What each kind of job is called in a sentence. */
const jobNames: Readonly<Record<JobKind, string>> = {
  import: 'an import of settings',
  'revision-restore': 'a return to earlier settings',
  backup: 'a backup',
  restore: 'a restore',
  reset: 'a reset',
  'profile-select': 'a change of the profile',
  'profile-rollback': 'a return to the previous profile',
};

/** The same at the beginning of a sentence. */
const openingName = (kind: JobKind): string => jobNames[kind].charAt(0).toUpperCase() + jobNames[kind].slice(1);

/** Component of each kind, as `/api/v1/install/status` names it. */
export const componentNames: Readonly<Record<JobKind, string>> = {
  import: 'Import',
  'revision-restore': 'Earlier settings',
  backup: 'Backup',
  restore: 'Restore',
  reset: 'Reset',
  'profile-select': 'Profile',
  'profile-rollback': 'Profile',
};

const two = (count: number): string => String(count).padStart(2, '0');

/** Hour and minute of a moment on the panel's own clock. */
function timeOf(at: number): string {
  const date = new Date(at);
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Why a job cannot begin, or settings cannot be saved, now; `running` is null if the reason is not known any more. */
export const busyWords = (running: RunningJob | null): string =>
  running === null
    ? 'Nothing was changed: the panel is not ready for this yet. Try again in a few seconds.'
    : `Nothing was changed: ${jobNames[running.kind]} has been running since ${timeOf(running.since)}. Wait until it has ended, then try again.`;

/** What is said of a job as it begins. */
export const begunWords = (kind: JobKind): string => `${openingName(kind)} is running.`;

/** How a job ended that threw. */
export const failedWords = (kind: JobKind): string => `${openingName(kind)} failed unexpectedly. ${wholeWords(kind)}`;

/** How a job ended whose actor ended before it. */
export const brokenWords = (kind: JobKind): string =>
  `${openingName(kind)} failed: the part that carried it out was restarted. ${wholeWords(kind)}`;

/** How a job ended that a stop of the agent interrupted. */
export const interruptedWords = (kind: JobKind): string => `${openingName(kind)} was interrupted. ${wholeWords(kind)}`;

/** How a job stands that a start could not carry out. */
export const postponedWords = (kind: JobKind): string =>
  `${openingName(kind)} could not be carried out at this start. The next start tries again.`;

/** What an interruption leaves of a job. */
function wholeWords(kind: JobKind): string {
  switch (kind) {
    case 'import':
    case 'revision-restore':
      return 'The settings are either all new or all as before.';
    case 'backup':
      return 'Make another one.';
    case 'restore':
    case 'reset':
      return 'Nothing was changed.';
    case 'profile-select':
    case 'profile-rollback':
      return 'The profile stays as it was.';
  }
}

/** What a reset did that a start carried out. */
export const resetWords: Readonly<Record<ResetScope, string>> = {
  connection: 'The connection to Home Assistant was reset.',
  settings: 'The settings were reset.',
  everything: 'Everything was reset.',
};

/** How a change of the profile ended. */
export const profileWords = {
  kept: 'The profile has proven itself and is kept.',
  takenBack: 'The profile did not work, so the panel uses the previous one again.',
  trial: 'The profile is on trial.',
  untried: 'The profile waits for a start that tries it.',
  replaced: 'Another profile was selected before this one had proven itself.',
} as const;
