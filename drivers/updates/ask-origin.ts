import { copyFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorCode, UNKNOWN_CODE } from '#drivers/kit/error-code.ts';
import type { RunsAs, UpdateOutcome } from '#machines/updates/events.ts';
import type { Clone } from './clone.ts';
import type { Git } from './git.ts';

/** How long one question may take, in milliseconds. */
export const askMs = 15_000;

/** Commits that are fetched to be counted, if the history of the clone cannot be used. */
const mostCommits = 200;

/** Longest subject that is shown, in characters. */
const longestSubject = 100;

/** What runs here, and where something newer may be. */
export interface UpdateSource {
  readonly runsAs: RunsAs;
  readonly commit: string;
  readonly origin: Clone['origin'];
  /** The history of the clone, which is not fetched again; null if this user does not look into it. */
  readonly history: Pick<Clone, 'objects' | 'shallow'> | null;
}

/** What asks: Git, and what reads the newest version in a changelog. */
export interface Asking {
  readonly git: Git;
  readonly newestVersion: (changelog: string) => string | null;
}

/** A value in a configuration file of Git. */
const escaped = (value: string): string => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** Makes the repository that asks: its configuration names the origin, so that no command line does. */
async function makeAsking(git: Git, folder: string, { origin, history }: UpdateSource, signal: AbortSignal) {
  const made = await git(['init', '--quiet', '--bare', '--template=', folder], signal);
  if (made.status !== 0) return made.status;
  const section = ['[remote "origin"]', `\turl = ${escaped(origin.url)}`, ''];
  writeFileSync(join(folder, 'config'), section.join('\n'), { flag: 'a', mode: 0o600 });
  if (history === null) return 0;
  writeFileSync(join(folder, 'objects/info/alternates'), `${history.objects}\n`);
  if (statSync(history.shallow, { throwIfNoEntry: false })?.isFile() === true)
    copyFileSync(history.shallow, join(folder, 'shallow'));
  return 0;
}

/** The commit of the branch at the origin in the output of `git ls-remote`; null if it has no such branch. */
const commitOf = (out: string, ref: string): string | null =>
  out
    .split('\n')
    .map((line) => line.split('\t'))
    .find(([, name]) => name === ref)?.[0] ?? null;

/** One line for people: without control characters, and bounded. */
function plainLine(text: string): string | null {
  const line =
    text
      .split('\n', 1)[0]
      ?.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')
      .trim() ?? '';
  if (line === '') return null;
  return line.length > longestSubject ? `${line.slice(0, longestSubject - 2)} …` : line;
}

/** Asks in a repository that was made for it. */
async function askIn(
  { git, newestVersion }: Asking,
  folder: string,
  source: UpdateSource,
  signal: AbortSignal,
): Promise<UpdateOutcome> {
  const inFolder = (...args: readonly string[]) => git([`--git-dir=${folder}`, ...args], signal);
  const { commit, origin, history, runsAs } = source;
  const listed = await inFolder('ls-remote', '--quiet', 'origin', origin.ref);
  const newest = listed.status === 0 ? commitOf(listed.out, origin.ref) : null;
  if (newest === null || !/^[0-9a-f]{40,64}$/.test(newest)) return { status: 'unknown', reason: 'unreachable' };
  if (newest === commit) return { status: 'up-to-date' };
  const fetched = await inFolder(
    'fetch',
    '--quiet',
    '--no-tags',
    '--no-write-fetch-head',
    '--filter=tree:0',
    ...(history === null ? [`--depth=${mostCommits}`] : []),
    'origin',
    `+${origin.ref}:refs/heads/newest`,
  );
  // Of a history that was fetched only in part, commits are counted only if it reaches back to what runs.
  const reaches =
    history === null && fetched.status === 0 ? await inFolder('merge-base', '--is-ancestor', commit, newest) : fetched;
  const counted = reaches.status === 0 ? await inFolder('rev-list', '--count', newest, `^${commit}`) : reaches;
  const commits = counted.status === 0 ? Number(counted.out) : null;
  // What runs here has commits that the origin lacks, and lacks none.
  if (commits === 0) return { status: 'up-to-date' };
  const [subject, changelog] = await Promise.all([
    inFolder('log', '-1', '--format=%s', newest),
    inFolder('show', `${newest}:CHANGELOG.md`),
  ]);
  return {
    status: 'behind',
    runsAs,
    commits: commits !== null && Number.isSafeInteger(commits) ? commits : null,
    version: changelog.status === 0 ? newestVersion(changelog.out) : null,
    subject: subject.status === 0 ? plainLine(subject.out) : null,
  };
}

/** Asks the origin once, for at most `boundMs`; changes nothing in the clone. */
export async function askOrigin(
  asking: Asking,
  source: UpdateSource,
  signal: AbortSignal,
  boundMs = askMs,
): Promise<UpdateOutcome> {
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(boundMs)]);
  // An address of several lines is none, and a line of its own in the configuration could be a setting.
  if (/[\n\r\0]/.test(`${source.origin.url}${source.history?.objects ?? ''}`))
    return { status: 'unknown', reason: 'unreachable' };
  let folder: string | null = null;
  try {
    folder = mkdtempSync(join(tmpdir(), 'sconce-updates-'));
    const made = await makeAsking(asking.git, folder, source, bounded);
    if (made === 'absent') return { status: 'unknown', reason: 'no-git' };
    if (made !== 0) return { status: 'unknown', reason: 'unreachable' };
    return await askIn(asking, folder, source, bounded);
  } catch (error) {
    // Git itself never throws: a file could not be written.
    if (errorCode(error) === UNKNOWN_CODE) throw error;
    return { status: 'unknown', reason: 'no-temporary-files' };
  } finally {
    if (folder !== null) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
