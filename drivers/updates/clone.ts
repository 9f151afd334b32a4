import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Git } from './git.ts';

/** A clone, and where it came from. */
export interface Clone {
  /** The folder, without links. */
  readonly folder: string;
  /** The commit that is checked out. */
  readonly commit: string;
  /** Git's log of what was checked out when; "" without one. */
  readonly log: string;
  /** Its origin, which may contain credentials; and the branch there, or `HEAD`. */
  readonly origin: { readonly url: string; readonly ref: string };
  readonly objects: string;
  /** The file that names where the history of a shallow clone ends; it exists only in one. */
  readonly shallow: string;
}

const commitPattern = /^[0-9a-f]{40,64}$/;

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** The clone in a folder; null if it is none or has no origin, `absent` if Git is not installed. */
export async function readClone(git: Git, folder: string, signal: AbortSignal): Promise<Clone | null | 'absent'> {
  if (!existsSync(join(folder, '.git'))) return null;
  const own = realpathSync(folder);
  const line = async (...args: readonly string[]): Promise<string | null | 'absent'> => {
    const { status, out } = await git([`--git-dir=${join(own, '.git')}`, ...args], signal);
    return status === 'absent' ? 'absent' : status === 0 ? out.trim() : null;
  };
  const commit = await line('rev-parse', 'HEAD');
  if (commit === 'absent') return 'absent';
  if (commit === null || !commitPattern.test(commit)) return null;
  const branch = await line('symbolic-ref', '--quiet', '--short', 'HEAD');
  const [remote, merge] = await Promise.all(
    ['remote', 'merge'].map((key) => (branch === null ? null : line('config', '--get', `branch.${branch}.${key}`))),
  );
  const name = remote === null || remote === undefined || remote === '.' || remote === '' ? 'origin' : remote;
  const [known, resolved, objects, shallow, logPath] = await Promise.all([
    line('config', '--get', `remote.${name}.url`),
    // As Git would reach it, with the rewriting of addresses that its user set up.
    line('ls-remote', '--get-url', name),
    ...['objects', 'shallow', 'logs/HEAD'].map((path) => line('rev-parse', '--git-path', path)),
  ]);
  // A name without an address is taken for one by Git.
  if (!known || !resolved || !objects || !shallow) return null;
  return {
    folder: own,
    commit,
    log: logPath ? textOf(resolve(logPath)) : '',
    origin: { url: resolved, ref: merge?.startsWith('refs/heads/') === true ? merge : 'HEAD' },
    objects: resolve(objects),
    shallow: resolve(shallow),
  };
}
