import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

/** Builds the program that takes files and sends one into a folder; returns its path. */
export async function buildFilesAlone(folder: string): Promise<string> {
  const outfile = join(folder, 'files.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('files-alone.ts', import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  });
  return outfile;
}
