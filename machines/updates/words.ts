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
    effect: 'In the folder that you cloned. It fetches what is newer, installs it and restarts the panel.',
  },
  'by-hand': {
    command: 'git pull && bin/run',
    effect:
      'In the folder that you cloned, once bin/run is stopped there with Ctrl+C. It fetches and starts what is newer.',
  },
};

const unknown: Readonly<Record<UnknownReason, UpdateWords>> = {
  'no-record': {
    sentence: 'This installation did not note where it came from. The next one does.',
    fix: fixes.installed,
  },
  'no-clone': {
    sentence: 'This copy of Sconce is not a Git clone with an origin, so it has no place to look for something newer.',
    fix: null,
  },
  'private-origin': {
    sentence: 'Only the folder that Sconce was installed from can reach its origin.',
    fix: { command: 'bin/sconce doctor --updates', effect: 'In the folder that you cloned. It asks there.' },
  },
  unreachable: {
    sentence:
      'The place that Sconce was cloned from does not answer. Check that this machine is online, then try again.',
    fix: null,
  },
  'no-git': {
    sentence: 'Git is not installed on this machine, so Sconce cannot look for something newer.',
    fix: { command: 'sudo apt-get install git', effect: 'Installs Git, which looks for newer commits.' },
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
      const behind =
        commits === null
          ? 'What runs here is not the newest commit of its origin'
          : `What runs here is ${commits === 1 ? 'one commit' : `${commits} commits`} behind its origin`;
      const last =
        newest !== null && isNewer(newest, version)
          ? `, where ${newest} is the newest version.`
          : subject === null
            ? '.'
            : `. The newest: ${subject}`;
      return { sentence: `${behind}${last}`, fix: fixes[runsAs] };
    }
  }
}
