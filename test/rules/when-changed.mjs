// Runs a check over the whole tree unless nothing that it reads has changed since it passed:
// node test/rules/when-changed.mjs NAME PROGRAM [ARGUMENT ...]
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folders that no check reads, beside those whose names begin with a point. */
const LEFT_OUT = new Set(['node_modules', 'dist']);

/** Paths of all files below a folder, in an order of their own. */
const filesIn = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !LEFT_OUT.has(entry.name) && !(entry.isDirectory() && entry.name.startsWith('.')))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesIn(path);
      return entry.isFile() ? [path] : [];
    });

const [name, program, ...args] = process.argv.slice(2);
const hash = createHash('sha256').update(JSON.stringify([process.version, program, args]));
for (const path of filesIn('.')) {
  const bytes = readFileSync(path);
  hash.update(`${path}\n${bytes.length}\n`).update(bytes);
}
const state = hash.digest('hex');
const passed = join('.cache', `passed-${name}`);
const before = (() => {
  try {
    return readFileSync(passed, 'utf8');
  } catch {
    return '';
  }
})();
if (before === state) {
  console.log(`${name}: nothing has changed since it passed`);
} else {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit' });
  if (error !== undefined) console.error(`${program}: ${error.code}`);
  if (status === 0) {
    mkdirSync('.cache', { recursive: true });
    writeFileSync(passed, state);
  }
  process.exitCode = status ?? 1;
}
