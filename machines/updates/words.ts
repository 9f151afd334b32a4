import type { Fix } from '../kit/verdict.ts';
import type { RunsAs, UnknownReason, UpdateOutcome } from './events.ts';
import { isNewer } from './newest-version.ts';

/** An outcome for the owner, with the one command that helps. */
export interface UpdateWords {
  readonly sentence: string;
  readonly fix: Fix | null;
}

const fixes: Readonly<Record<RunsAs, Fix>> = {
  installed: {
    command: 'git pull && sudo bin/sconce install',
    effect: 'In the folder that you cloned. Fetches and installs the update, then restarts the panel.',
  },
  'by-hand': {
    command: 'git pull && bin/run',
    effect: 'Stop bin/run with Ctrl+C, then type this in the folder that you cloned. Fetches the update and starts it.',
  },
};

const unknown: Readonly<Record<UnknownReason, UpdateWords>> = {
  'no-record': {
    sentence:
      'This installation did not note where it came from, so there is no place to look for updates. The next one will.',
    fix: fixes.installed,
  },
  'no-clone': {
    sentence: 'This copy of Sconce is not a Git clone with an origin, so there is no place to look for updates.',
    fix: null,
  },
  'private-origin': {
    sentence: 'Updates can only be looked for from the folder that Sconce was installed from.',
    fix: {
      command: 'bin/sconce doctor --updates',
      effect: 'In the folder that you cloned. Looks for updates from there.',
    },
  },
  unreachable: {
    sentence:
      'The repository that Sconce was cloned from does not answer. Check that this machine is online, then try again.',
    fix: null,
  },
  'no-temporary-files': {
    sentence:
      'Sconce cannot write temporary files on this machine; its disk may be full. Free up space, then try again.',
    fix: null,
  },
  'no-git': {
    sentence: 'Git is not installed on this machine, so Sconce cannot look for updates.',
    fix: { command: 'sudo apt-get install git', effect: 'Installs Git, which looks for updates.' },
  },
};

/** What an outcome says; `version` is the one that runs. */
export function updateWords(outcome: UpdateOutcome, version: string): UpdateWords {
  switch (outcome.status) {
    case 'up-to-date':
      return { sentence: 'Sconce is up to date.', fix: null };
    case 'unknown':
      return unknown[outcome.reason];
    case 'behind': {
      const { commits, version: newest, subject, runsAs } = outcome;
      if (commits === null)
        return {
          sentence: 'The repository that Sconce was cloned from has a different commit from the one that runs here.',
          fix: fixes[runsAs],
        };
      const count = commits === 1 ? 'one commit' : `${commits} commits`;
      const what =
        newest !== null && isNewer(newest, version)
          ? `version ${newest}, ${count} ahead.`
          : `${count}${subject === null ? '.' : `, the newest "${subject}".`}`;
      return { sentence: `An update is available: ${what}`, fix: fixes[runsAs] };
    }
  }
}
