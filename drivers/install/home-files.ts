import { spawnSync } from 'node:child_process';
import { readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Person } from '#machines/install/events.ts';
import { missingFolders, readOrdinary, writeWhole } from './files.ts';

/** Operations on files with the rights of root or of a user. They throw if they are not permitted. */
export interface Files {
  /** Text and permission bits of a regular file; null if there is none. */
  readonly read: (path: string) => { readonly text: string; readonly mode: number } | null;
  /** The missing folders above a path, the outermost first. */
  readonly missing: (path: string) => readonly string[];
  readonly write: (path: string, text: string, mode: number) => void;
  readonly remove: (path: string) => void;
  /** Removes a folder if it is empty. */
  readonly removeEmpty: (path: string) => void;
  /** Removes a folder and its content. */
  readonly removeAll: (path: string) => void;
  /** Removes the content of a folder. */
  readonly empty: (path: string) => void;
}

const here: Files = {
  read: readOrdinary,
  missing: missingFolders,
  write: writeWhole,
  remove: (path) => rmSync(path, { force: true }),
  removeEmpty: (path) => {
    try {
      rmdirSync(path);
    } catch {
      // It is gone, or has other files by now.
    }
  },
  removeAll: (path) => rmSync(path, { recursive: true, force: true }),
  empty: (path) => {
    for (const name of readdirSync(path)) rmSync(join(path, name), { recursive: true, force: true });
  },
};

/** Longest run of a shell for one file, in milliseconds. */
const shellMs = 20_000;

/** A shell that ran with a user's rights failed. */
class HomeFileError extends Error {
  readonly code = 'home-file';
}

/**
 * Files in a user's home, changed by a process with that user's rights instead of root's: a link there leads no further
 * than its owner may go. A separate process, since Node refuses to change the user of a running one if io_uring may be
 * in use.
 */
function inHomeOf(person: Pick<Person, 'uid' | 'gid' | 'home'>): Files {
  const shell = (
    script: string,
    args: readonly string[],
    input = '',
  ): { readonly code: number; readonly out: string } => {
    const env = { PATH: '/usr/bin:/bin', HOME: person.home, LC_ALL: 'C' };
    const ended = spawnSync('/bin/sh', ['-euc', script, 'sh', ...args], {
      uid: person.uid,
      gid: person.gid,
      cwd: '/',
      env,
      input,
      encoding: 'utf8',
      timeout: shellMs,
      maxBuffer: 1024 * 1024,
    });
    return { code: ended.status ?? -1, out: ended.stdout };
  };
  const must = (script: string, args: readonly string[], input = ''): void => {
    if (shell(script, args, input).code !== 0)
      throw new HomeFileError(`not done with the rights of user ${person.uid}`);
  };
  return {
    read: (path) => {
      const { code, out } = shell('[ -f "$1" ] && [ ! -L "$1" ] && stat -c %a -- "$1" && cat -- "$1"', [path]);
      const end = out.indexOf('\n');
      return code === 0 && end > 0 ? { text: out.slice(end + 1), mode: Number.parseInt(out.slice(0, end), 8) } : null;
    },
    missing: (path) =>
      shell('p=${1%/*}; while [ -n "$p" ] && [ ! -e "$p" ]; do printf "%s\\n" "$p"; p=${p%/*}; done', [path])
        .out.split('\n')
        .filter((line) => line !== '')
        .toReversed(),
    write: (path, text, mode) =>
      must(
        'umask 022; mkdir -p -- "${1%/*}"; umask 077; rm -f -- "$1.sconce-new"; cat >"$1.sconce-new"; chmod "$2" "$1.sconce-new"; sync "$1.sconce-new"; mv -fT -- "$1.sconce-new" "$1"; sync "${1%/*}"',
        [path, mode.toString(8)],
        text,
      ),
    remove: (path) => must('rm -f -- "$1"', [path]),
    removeEmpty: (path) => void shell('rmdir -- "$1"', [path]),
    removeAll: (path) => must('rm -rf -- "$1"', [path]),
    empty: (path) => must('find "$1" -mindepth 1 -delete', [path]),
  };
}

/** Files of root, or in the home of `owner`, with that user's rights. */
export const filesOf = (owner: Person | null): Files =>
  owner === null || process.getuid?.() !== 0 ? here : inHomeOf(owner);
