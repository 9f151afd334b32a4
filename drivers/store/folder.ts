import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { errorCode } from '#drivers/kit/error-code.ts';
import { ok, refuse } from '#machines/kit/result.ts';
import type { Result } from '#machines/kit/result.ts';

/** Name of the document; the names of its copies begin with it. */
export const DOCUMENT = 'state.json';

/** Name of the entity filter's document; the names of its copies begin with it. */
export const FILTER_DOCUMENT = 'entity-filter.json';

/** Name of the log's file; the name of the older one begins with it. */
export const LOG_FILE = 'agent.log';
/** Name of the file in which an installation leaves settings and sign-in for the agent. */
export const GIVEN = 'given.json';

/** Name of the file with the recipients of credential files; it survives every reset. */
export const RECORDED = 'recipients.json';

/** Name of the folder of sections with separate files. */
export const SECTIONS = 'sections';

/** Name of the file that the running agent keeps locked; it has the agent's port. */
export const LOCK_FILE = 'lock';

/** Name of the file of earlier configurations; the names of its copies begin with it, and every reset removes it. */
export const REVISIONS = 'revisions.json';

/** Name of the folder of what a restore has staged for the next start. */
export const RESTORE = 'restore';

/** Name of the folder for files that do not outlive the agent. */
export const TEMPORARY = 'tmp';

/** Name of the folder of the bridge to an Android panel: its key and its socket. */
export const ADB_FOLDER = 'adb';

/** Name of the folder of what was learned of the room's light. */
export const LIGHT_FOLDER = 'light';

/** Name of the file whose presence is Hardened mode; it survives every reset. */
export const HARDENED = 'hardened';

/** Name of the control socket of the approvals. */
export const APPROVALS_SOCKET = 'approvals.sock';

/** Name of the socket at which a terminal answers whether a Home Assistant may be paired. */
export const PAIRING_SOCKET = 'pairing.sock';

/** Name of the file with which `sconce microphone` reaches the agent; every reset removes it. */
export const MICROPHONE_ORDER = 'microphone.json';

/** Name of the folder of saved profiles. */
const PROFILES = 'profiles';

/** Files whose copies have names that begin with theirs. */
const OUR_FILES = [
  DOCUMENT,
  FILTER_DOCUMENT,
  LOG_FILE,
  GIVEN,
  RECORDED,
  HARDENED,
  REVISIONS,
  MICROPHONE_ORDER,
] as const;
const OUR_NAMES: ReadonlySet<string> = new Set([
  SECTIONS,
  LOCK_FILE,
  TEMPORARY,
  ADB_FOLDER,
  LIGHT_FOLDER,
  PROFILES,
  APPROVALS_SOCKET,
  PAIRING_SOCKET,
  RESTORE,
]);

/** Sources of the data folder's path. */
export interface FolderSources {
  /** `--data`; undefined if it was not given. */
  readonly flag: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
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
 * Creates a folder and those above it; true if it was created now. Step by step and not with `recursive`, with which
 * Node never returns if an existing parent answers ENOENT, as /proc does.
 */
function makeStepwise(folder: string): boolean {
  const missing: string[] = [];
  for (let path = resolve(folder); !existsSync(path); path = dirname(path)) missing.unshift(path);
  for (const path of missing) mkdirSync(path, { mode: 0o700 });
  return missing.length > 0;
}

/**
 * Creates the folder with mode 0700; null on success, else the error code. An existing one is closed to others only if
 * it is ours and has only our files: `--data /tmp` must not change /tmp.
 */
export function makeFolder(folder: string): string | null {
  try {
    if (makeStepwise(folder)) return null;
    const facts = statSync(folder);
    const ours =
      facts.uid === process.getuid?.() &&
      readdirSync(folder).every((name) => OUR_FILES.some((file) => name.startsWith(file)) || OUR_NAMES.has(name));
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
 * Chooses and creates the data folder. An existing one that cannot be written is accepted (each save then reports it).
 * One that cannot be created, or is not a folder, is refused with its path and the error code, for the person who typed
 * it.
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
    `The data folder ${folder} cannot be created (${trouble ?? 'unknown'}). Choose another one with --data.`,
  );
}
