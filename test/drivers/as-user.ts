import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { build } from 'esbuild';

/** Root without the right to pass by file modes; Debian always has setpriv (package util-linux). */
const HELD_BACK = ['setpriv', '--bounding-set', '-dac_override,-dac_read_search'] as const;

/**
 * Calls an exported function in a process for which file modes count, also where the tests run as root; its answer
 * comes back as JSON.
 */
export async function asUser(module: string, name: string, argument: string): Promise<unknown> {
  const work = await mkdtemp(join(tmpdir(), 'sconce-as-user-'));
  try {
    const script = join(work, 'script.mjs');
    await build({
      stdin: {
        contents: `import { ${name} } from '${module}';\nconsole.log(JSON.stringify(await ${name}(process.argv[2])));`,
        resolveDir: fileURLToPath(new URL('../..', import.meta.url)),
      },
      outfile: script,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'silent',
    });
    const [program, ...args] = [...(process.getuid?.() === 0 ? HELD_BACK : []), process.execPath, script, argument];
    const { stdout } = await promisify(execFile)(program, args);
    return JSON.parse(stdout);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
