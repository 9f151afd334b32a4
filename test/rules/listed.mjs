// The files that a rule looks at.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const walkFolders = (root) =>
  readdirSync(root, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith('.') || entry.name === 'node_modules' || entry.name === 'dist') return [];
    if (entry.isDirectory()) return walkFolders(join(root, entry.name)).map((file) => join(entry.name, file));
    return entry.isFile() ? [entry.name] : [];
  });

/** Files of this project that match one of the patterns, each a `*` and an ending, also those not committed yet. */
export function listed(root, patterns) {
  try {
    const said = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard', ...patterns], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return said.split('\0').filter((file) => file !== '');
  } catch {
    return walkFolders(root).filter((file) => patterns.some((pattern) => file.endsWith(pattern.slice(1))));
  }
}

/** The text of a file; empty once it is deleted. */
export function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    // Git still lists what was deleted and not yet committed.
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}
