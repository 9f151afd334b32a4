import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { endOf } from '#drivers/kit/end-of.ts';
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

/** How much of the log is read, in bytes: some 1,500 pulls. */
const longestLog = 256 * 1024;

const commitPattern = /^[0-9a-f]{40,64}$/;

/** The clone in a folder; null if it is none or has no origin, `absent` if Git is not installed. */
export async function readClone(git: Git, folder: string, signal: AbortSignal): Promise<Clone | null | 'absent'> {
  if (!existsSync(join(folder, '.git'))) return null;
  const own = realpathSync(folder);
  const inClone = (...args: readonly string[]) => git([`--git-dir=${join(own, '.git')}`, ...args], signal);
  /** What it prints, "" if it fails. */
  const line = async (...args: readonly string[]): Promise<string> => {
    const { status, out } = await inClone(...args);
    return status === 0 ? out.trim() : '';
  };
  const head = await inClone('rev-parse', 'HEAD');
  if (head.status === 'absent') return 'absent';
  const commit = head.out.trim();
  if (head.status !== 0 || !commitPattern.test(commit)) return null;
  const branch = await line('symbolic-ref', '--quiet', '--short', 'HEAD');
  // Without a branch there is no such setting either.
  const [remote, merge] = await Promise.all([
    line('config', '--get', `branch.${branch}.remote`),
    line('config', '--get', `branch.${branch}.merge`),
  ]);
  const name = remote === '' || remote === '.' ? 'origin' : remote;
  const [known, url, objects, shallow, log] = await Promise.all([
    line('config', '--get', `remote.${name}.url`),
    // As Git would reach it, with the rewriting of addresses that its user set up.
    line('ls-remote', '--get-url', name),
    line('rev-parse', '--git-path', 'objects'),
    line('rev-parse', '--git-path', 'shallow'),
    line('rev-parse', '--git-path', 'logs/HEAD'),
  ]);
  // A name without an address is taken for one by Git.
  if ([known, url, objects, shallow, log].includes('')) return null;
  return {
    folder: own,
    commit,
    log: endOf(resolve(log), longestLog),
    origin: { url, ref: merge.startsWith('refs/heads/') ? merge : 'HEAD' },
    objects: resolve(objects),
    shallow: resolve(shallow),
  };
}
