import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../bin/setup/debian.sh', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'sconce-packages-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

it('asks for the packages of commands and files that are not there', () => {
  mkdirSync(join(root, 'bin/setup'), { recursive: true });
  mkdirSync(join(root, 'lib/some-machine'), { recursive: true });
  writeFileSync(join(root, 'lib/some-machine/there.so'), '');
  const rows = [
    '# command or path   package',
    '',
    'sh                  dash',
    'no-such-command     of-a-command',
    `${root}/lib/*/there.so of-a-file-that-is-there`,
    `${root}/lib/*/gone.so of-a-file`,
  ];
  writeFileSync(join(root, 'bin/setup/test-packages'), `${rows.join('\n')}\n`);
  const listed = execFileSync('bash', ['-c', 'root=$0; . "$1"; missing_packages', root, script], { encoding: 'utf8' });
  // A font is asked for where there is none.
  expect(listed.split('\n').filter((line) => line !== '' && !line.startsWith('fonts-'))).toEqual([
    'of-a-command',
    'of-a-file',
  ]);
});
