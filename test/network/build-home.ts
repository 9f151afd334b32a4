import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

/** Builds a stand-in for Home Assistant that a machine of the network can run; its path. It prints its address. */
export async function buildHome(folder: string): Promise<string> {
  const outfile = join(folder, 'home.cjs');
  await build({
    stdin: {
      contents: `import { serveHomeAssistant } from './home-assistant-page.ts';
        serveHomeAssistant().then(({ origin }) => console.log(origin));`,
      resolveDir: fileURLToPath(new URL('../drivers/renderer', import.meta.url)),
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'silent',
  });
  return outfile;
}
