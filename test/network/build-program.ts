import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

/** Builds a program that a machine of the network can run, from its text; its path. Imports are as in this folder. */
export async function buildProgram(folder: string, name: string, contents: string): Promise<string> {
  const outfile = join(folder, `${name}.cjs`);
  await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'silent',
  });
  return outfile;
}
