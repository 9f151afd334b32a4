import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { pageBundles } from '#bin/build/page-bundles.mjs';
import { readIcons, readWords, type Used, usedIn } from '#bin/build/words.mjs';

/** The folder of the sources. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The scripts of the pages and what is sent along with them, made from the sources as they are. */
export const { scripts, pages: bundles, drawn } = await pageBundles(root);

/** The server without the tables of strings and icons, which name all that there are. */
const withoutTables: Plugin = {
  name: 'without-tables',
  setup: (plan) => {
    plan.onLoad({ filter: /[/\\]ui[/\\](?:icons|strings[/\\]catalogue)\.ts$/ }, () => ({
      contents: 'export const icons = {}; export const catalogue = {};',
    }));
  },
};

/** What the server draws with. */
export async function usedByServer(): Promise<Used> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['routes/app.ts'],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    tsconfig: `${root}/tsconfig.json`,
    plugins: [withoutTables],
    write: false,
    logLevel: 'warning',
  });
  return usedIn(outputFiles[0]?.text ?? '', readWords(root), readIcons(root));
}
