// Builds what users start: one bundle for Node, and the assets that browsers load. Needs esbuild alone.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const out = join(root, 'dist');
const fresh = join(root, `.dist-${process.pid}`);
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The browser floor of the pages: a 2019 WebView. */
const browserTarget = 'chrome83';

const client = async () => {
  const entries = {
    app: 'ui/elements/main.ts',
    explorer: 'ui/elements/explorer.ts',
    'app-style': 'ui/styles/main.css',
    'explorer-style': 'ui/styles/explorer.css',
  };
  const present = Object.fromEntries(Object.entries(entries).filter(([, file]) => existsSync(join(root, file))));
  await build({
    absWorkingDir: root,
    entryPoints: Object.entries(present).map(([name, file]) => ({ in: file, out: name.replace('-style', '') })),
    outdir: join(fresh, 'assets'),
    bundle: true,
    minify: true,
    format: 'iife',
    target: browserTarget,
    tsconfig: join(root, 'ui/tsconfig.json'),
    logLevel: 'warning',
  });
};

const server = async () => {
  const result = await build({
    absWorkingDir: root,
    entryPoints: ['bin/main.ts'],
    outfile: join(fresh, 'sconce.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    // The pages' own configuration puts browser modules in place of the server's.
    tsconfig: join(root, 'tsconfig.json'),
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    // Native code cannot be bundled; it is loaded only where it is needed.
    external: ['koffi', 'bufferutil', 'utf-8-validate'],
    banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
    define: { 'process.env.SCONCE_VERSION': JSON.stringify(version) },
    metafile: true,
    logLevel: 'warning',
  });
  writeFileSync(join(fresh, 'meta.json'), JSON.stringify(result.metafile));
  const digest = createHash('sha256').update(readFileSync(join(fresh, 'sconce.mjs'))).digest('hex').slice(0, 8);
  writeFileSync(join(fresh, 'build.json'), JSON.stringify({ version, build: digest }));
};

rmSync(fresh, { recursive: true, force: true });
mkdirSync(fresh, { recursive: true });
try {
  await Promise.all([client(), server()]);
  // Swapped by two renames, so that nobody starts a half-written bundle.
  const old = join(root, `.dist-${process.pid}-old`);
  if (existsSync(out)) renameSync(out, old);
  renameSync(fresh, out);
  rmSync(old, { recursive: true, force: true });
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
