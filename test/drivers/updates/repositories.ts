import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder with an origin, to which commits can be added, and clones of it. */
export interface Repositories {
  readonly folder: string;
  /** Path of the origin, a bare repository. */
  readonly origin: string;
  /** Adds a commit to the origin, with that changelog if any; returns the commit. */
  readonly publish: (subject: string, changelog?: string) => string;
  /** Clones it under that name, by a file: address, with further options. */
  readonly clone: (name: string, ...options: readonly string[]) => string;
  readonly git: (folder: string, ...args: readonly string[]) => string;
  readonly end: () => void;
}

const environment = {
  PATH: process.env['PATH'] ?? '/usr/bin:/bin',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Anna',
  GIT_AUTHOR_EMAIL: 'anna@example.org',
  GIT_COMMITTER_NAME: 'Anna',
  GIT_COMMITTER_EMAIL: 'anna@example.org',
};

export function makeRepositories(): Repositories {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sconce-test-git-')));
  const git = (where: string, ...args: readonly string[]): string =>
    execFileSync('git', args, {
      cwd: where,
      env: environment,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  const [origin, work] = [join(folder, 'origin.git'), join(folder, 'work')];
  git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', origin);
  git(folder, 'init', '--quiet', '--initial-branch=main', work);
  return {
    folder,
    origin,
    git,
    publish: (subject, changelog) => {
      if (changelog !== undefined) writeFileSync(join(work, 'CHANGELOG.md'), changelog);
      git(work, 'add', '--all');
      git(work, 'commit', '--quiet', '--allow-empty', '-m', subject);
      git(work, 'push', '--quiet', origin, 'main');
      return git(work, 'rev-parse', 'HEAD');
    },
    clone: (name, ...options) => {
      git(folder, 'clone', '--quiet', ...options, `file://${origin}`, name);
      return join(folder, name);
    },
    end: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Every file under a folder with its content and the time of its last change. */
export const contentOf = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .toSorted()
    .map((path) => {
      const { mtimeMs, size } = statSync(path);
      return statSync(path).isFile() ? `${path} ${mtimeMs} ${size} ${readFileSync(path, 'base64')}` : path;
    });
