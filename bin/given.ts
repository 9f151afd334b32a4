import { descriptorOf } from '#machines/settings.ts';
import { type FoundGiven, type Given, keepRemainder, readGiven } from '#drivers/install/given-file.ts';
import type { Logger } from '#drivers/log/logger.ts';

/** What an installation left in the data folder, and how the agent confirms that it took it. */
export interface LeftGiven extends Given {
  /** The settings are saved: only a pending sign-in stays there. */
  readonly settingsTaken: () => void;
  /** A person is signed in: nothing stays there. */
  readonly signedIn: () => void;
}

const nothing: LeftGiven = { settings: {}, login: null, settingsTaken: () => {}, signedIn: () => {} };

/** What the agent takes of it; each piece is removed once it was taken, and a newer file is left alone. */
function taking(folder: string, { text, given }: Extract<FoundGiven, { state: 'found' }>): LeftGiven {
  let lies: string | null = text;
  let left: Given = given;
  const keep = (next: Given): void => {
    left = next;
    const isDone = left.login === null && Object.keys(left.settings).length === 0;
    if (lies !== null) lies = keepRemainder(folder, lies, isDone ? null : left);
  };
  return {
    ...given,
    settingsTaken: () => keep({ settings: {}, login: left.login }),
    signedIn: () => keep({ settings: left.settings, login: null }),
  };
}

/** Takes up what an installation left in the data folder for this agent. */
export function takeGiven(folder: string, log: Pick<Logger, 'error' | 'protect'>): LeftGiven {
  const found = readGiven(folder);
  if (found.state === 'damaged')
    log.error('The settings that the installation left for this panel cannot be read. Give them again.');
  if (found.state !== 'found') return nothing;
  for (const [key, value] of Object.entries(found.given.settings))
    if (descriptorOf(key)?.secret === true) log.protect(value);
  return taking(folder, found);
}
