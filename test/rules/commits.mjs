// Fails for every commit since the last version whose subject is not `type(area): subject` in 72 characters:
// node test/rules/commits.mjs [FOLDER]
import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const TYPES = ['feat', 'fix', 'refactor', 'test', 'docs', 'perf', 'build', 'style', 'ci', 'revert'];
const MOST = 72;

/** What is wrong with the first line of a commit's message; null where nothing is. */
export function faultOf(subject) {
  const [, type, area, text] = /^([^\s(:]+)(?:\(([^)]*)\))?!?:(.*)$/.exec(subject) ?? [];
  if (type === undefined) return 'not of the form "type(area): subject"';
  if (!TYPES.includes(type)) return `the type "${type}" is none of ${TYPES.join(', ')}`;
  if (area === undefined) return `no area: write "${type}(area): subject"`;
  if (!/^[a-z0-9][a-z0-9-]*(?:,[a-z0-9-]+)*$/.test(area))
    return `the area "${area}" is not lower-case names with hyphens, separated by commas`;
  if (!/^ \S/.test(text)) return 'no subject after the colon and one space';
  if (/[.\s]$/.test(text)) return 'the subject ends in a full stop or a space';
  const { length } = [...subject];
  return length > MOST ? `${length} characters; at most ${MOST}` : null;
}

const SELF = 'test/rules/commits.mjs';

/**
 * Subjects of the commits to hold to it, with their short hashes: those after the one that last set the version, or
 * after the one that brought this check, whichever is later. Null without a history. What a shallow clone begins with
 * looks as if it had brought both, so that the commits after that are held to it.
 */
export function commitsIn(folder) {
  const git = (...args) =>
    execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    const bases = [
      git('log', '-1', '--format=%H', '-G^  "version":', '--', 'package.json'),
      git('log', '-1', '--format=%H', '--diff-filter=A', '--', SELF),
    ].filter((hash) => hash !== '');
    if (bases.length < 2) return null;
    const listed = git('log', '--no-merges', '--format=%h %s', 'HEAD', ...bases.map((hash) => `^${hash}`));
    return listed.split('\n').flatMap((line) => {
      const [, hash, subject] = /^(\w+) (.*)$/.exec(line) ?? [];
      return hash === undefined ? [] : [{ hash, subject }];
    });
  } catch {
    return null;
  }
}

function main(folder) {
  const commits = commitsIn(folder);
  if (commits === null) return console.log('commits: the history is not here, so no message is checked');
  if (commits.length === 0) return console.log('commits: none since the last version in this history');
  for (const { hash, subject } of commits) {
    const fault = faultOf(subject);
    if (fault === null) continue;
    console.error(`${hash} ${subject}\n  ${fault}`);
    process.exitCode = 1;
  }
  return console.log(`commits: ${commits.length} since the last version`);
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  main(process.argv[2] ?? fileURLToPath(new URL('../..', import.meta.url)));
