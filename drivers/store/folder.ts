import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { errorCode } from '#drivers/kit/error-code.ts';
import { ok, refuse } from '#machines/kit/result.ts';
import type { Result } from '#machines/kit/result.ts';

/** Name of the document in the data folder; the names of all files of the store begin with it. */
export const DOCUMENT = 'state.json';

/** Name of the entity filter's own document in the data folder; the names of all its files begin with it. */
export const FILTER_DOCUMENT = 'entity-filter.json';

/** Name of the file of the kept log in the data folder; the names of all its files begin with it. */
export const LOG_FILE = 'agent.log';
/** Name of the file in the data folder in which an installation leaves what it was given, for the agent. */
export const GIVEN = 'given.json';

/**
 * Name of the file in the data folder that says whom the contents of credential files were for; it stays over every
 * reset.
 */
export const RECORDED = 'recipients.json';

/** Name of the data folder's own folder for stored sections that have a file each. */
export const SECTIONS = 'sections';

/** Name of the file in the data folder that the running agent holds locked; the port on which it listens is in it. */
export const LOCK_FILE = 'lock';

/** Name of the data folder's own folder for files that do not outlive the agent. */
export const TEMPORARY = 'tmp';

/** Name of the data folder's own folder for the bridge to an Android panel: its key and its socket. */
export const ADB_FOLDER = 'adb';

/** Name of the data folder's own folder for saved profiles. */
const PROFILES = 'profiles';

/** Where the data folder's path can come from. */
export interface FolderSources {
  /** `--data`, undefined when it was not given. */
  readonly flag: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The home folder of the user. */
  readonly home: string;
}

/**
 * The data folder: `--data`, else the first of $STATE_DIRECTORY (systemd.exec: a colon-separated list), else
 * $XDG_STATE_HOME/sconce (ignored unless absolute, as its specification says), else ~/.local/state/sconce.
 */
export function dataFolder(sources: FolderSources): string {
  if (sources.flag !== undefined && sources.flag !== '') return resolve(sources.flag);
  const given = sources.env['STATE_DIRECTORY']?.split(':').find((path) => path !== '');
  if (given !== undefined) return resolve(given);
  const xdg = sources.env['XDG_STATE_HOME'];
  return join(xdg !== undefined && isAbsolute(xdg) ? xdg : join(sources.home, '.local', 'state'), 'sconce');
}

/**
 * Makes a folder and those above it; whether it was made now. Step by step and not with `recursive`: Node never comes
 * back from that where a parent that exists answers ENOENT, as /proc does.
 */
function makeStepwise(folder: string): boolean {
  const missing: string[] = [];
  for (let path = resolve(folder); !existsSync(path); path = dirname(path)) missing.unshift(path);
  for (const path of missing) mkdirSync(path, { mode: 0o700 });
  return missing.length > 0;
}

/**
 * Makes the folder with mode 0700; null on success, else the errno. One that is there is closed to others only when it
 * is ours and holds nothing but our files: `--data /tmp` must not change /tmp.
 */
export function makeFolder(folder: string): string | null {
  try {
    if (makeStepwise(folder)) return null;
    const facts = statSync(folder);
    const ours =
      facts.uid === process.getuid?.() &&
      readdirSync(folder).every(
        (name) =>
          [DOCUMENT, FILTER_DOCUMENT, LOG_FILE, GIVEN, RECORDED].some((document) => name.startsWith(document)) ||
          [SECTIONS, LOCK_FILE, TEMPORARY, ADB_FOLDER, PROFILES].includes(name),
      );
    if (ours && (facts.mode & 0o077) !== 0) chmodSync(folder, 0o700);
    return null;
  } catch (error) {
    return errorCode(error);
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/**
 * Chooses the data folder and makes it. A folder that is there but cannot be written is taken all the same (each save
 * then says so); one that cannot be made or is not a folder is refused, with its path and the errno: this is for who
 * typed it.
 */
export function prepareFolder(wanted: {
  readonly argument: string | null;
  readonly env: FolderSources['env'];
}): Result<string, 'folder-unusable'> {
  const folder = dataFolder({ flag: wanted.argument ?? undefined, env: wanted.env, home: homedir() });
  const trouble = makeFolder(folder);
  if (isFolder(folder)) return ok(folder);
  return refuse(
    'folder-unusable',
    `The data folder ${folder} cannot be made (${trouble ?? 'unknown'}). Choose another one with --data.`,
  );
}
