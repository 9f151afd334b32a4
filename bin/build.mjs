// Builds what users start: one bundle for Node, and the assets that browsers load. Needs esbuild and js-yaml alone.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { load } from 'js-yaml';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const out = join(root, 'dist');
const fresh = join(root, `.dist-${process.pid}`);
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The browser floor of the pages: a 2019 WebView. */
const browserTarget = 'chrome83';

const client = async () => {
  const entries = {
    app: 'ui/elements/main.ts',
    configure: 'ui/elements/configure-page.ts',
    simulator: 'ui/elements/simulator-page.ts',
    inspector: 'ui/elements/inspector-page.ts',
    explorer: 'ui/elements/explorer.ts',
    profiles: 'ui/elements/profiles-page.ts',
    'profile-editor': 'ui/elements/profile-editor.ts',
    logs: 'ui/elements/logs-page.ts',
    'sign-in': 'ui/elements/sign-in-page.ts',
    proximity: 'ui/elements/proximity-page.ts',
    glass: 'ui/elements/glass-page.ts',
    'app-style': 'ui/styles/main.css',
    'drawing-style': 'ui/styles/drawing.css',
    'form-style': 'ui/styles/form.css',
    'snippets-style': 'ui/styles/snippets.css',
    'logs-style': 'ui/styles/logs.css',
    'proximity-style': 'ui/styles/proximity.css',
    'glass-style': 'ui/styles/glass.css',
    'sign-in-style': 'ui/styles/sign-in.css',
    'inspector-style': 'ui/styles/inspector.css',
    'profiles-style': 'ui/styles/profiles.css',
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

/** Of zod's messages in fifty languages only the English ones are used; the rest would be a fifth of the bundle. */
const englishOnly = {
  name: 'english-only',
  setup: (plan) => {
    plan.onLoad({ filter: /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
      loader: 'js',
    }));
  },
};

/** The mDNS responder: a program of its own, which the agent starts. */
const responder = () =>
  build({
    absWorkingDir: root,
    entryPoints: ['drivers/advertiser/responder-program.ts'],
    outfile: join(fresh, 'responder.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    tsconfig: join(root, 'tsconfig.json'),
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'warning',
  });

/** The YAML library, which the agent loads when it first reads a profile. */
const yaml = () =>
  build({
    absWorkingDir: root,
    stdin: {
      contents:
        "export { CORE_SCHEMA, EVENT_ID, YAMLException, constructFromEvents, getScalarValue, parseEvents } from 'js-yaml';",
      resolveDir: root,
    },
    outfile: join(fresh, 'yaml.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'warning',
  });

/** The profiles as they are, and parsed, so that a start reads no YAML. */
const profiles = () => {
  const [from, to] = [join(root, 'profiles/bundled'), join(fresh, 'bundled')];
  mkdirSync(to);
  const files = readdirSync(from)
    .filter((file) => file.endsWith('.yaml'))
    .toSorted();
  const rows = files.map((file) => {
    const bytes = readFileSync(join(from, file));
    writeFileSync(join(to, file), bytes);
    return {
      file,
      revision: createHash('sha256').update(bytes).digest('hex'),
      bytes: bytes.length,
      document: load(bytes.toString('utf8')),
    };
  });
  writeFileSync(join(to, 'index.json'), JSON.stringify(rows));
};

const server = async () => {
  const result = await build({
    absWorkingDir: root,
    entryPoints: ['bin/main.ts'],
    outfile: join(fresh, 'agent.cjs'),
    bundle: true,
    platform: 'node',
    // CommonJS, because V8 takes a code cache only for scripts; see launcher.cjs.
    format: 'cjs',
    // The pages' own configuration puts browser modules in place of the server's.
    tsconfig: join(root, 'tsconfig.json'),
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    // Native code cannot be bundled; it is loaded only where it is needed.
    external: ['koffi', 'bufferutil', 'utf-8-validate'],
    plugins: [englishOnly],
    banner: { js: "const __bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
    define: { 'import.meta.url': '__bundleUrl' },
    metafile: true,
    logLevel: 'warning',
  });
  // V8 resolves no dynamic import in kept code: it would fail when it is first needed, on the panel.
  if (
    Object.values(result.metafile.outputs).some((output) =>
      output.imports.some(({ kind }) => kind === 'dynamic-import'),
    )
  ) {
    throw new Error('the bundle has a dynamic import; require it through createRequire instead');
  }
  writeFileSync(join(fresh, 'meta.json'), JSON.stringify(result.metafile));
  const digest = createHash('sha256')
    .update(readFileSync(join(fresh, 'agent.cjs')))
    .digest('hex')
    .slice(0, 8);
  writeFileSync(join(fresh, 'build.json'), JSON.stringify({ version, build: digest }));
  copyFileSync(join(root, 'bin/launcher.cjs'), join(fresh, 'sconce.cjs'));
  copyFileSync(join(root, 'bin/install/relight'), join(fresh, 'relight'));
  // The texts that an installation is made of.
  cpSync(join(root, 'bin/install'), join(fresh, 'install'), {
    recursive: true,
    filter: (file) => !/(?:\.ts|relight)$/.test(file),
  });
};

/**
 * Lets the bundle look at a simulated panel once (it listens nowhere and keeps nothing), so that V8's compiled code can
 * be kept.
 */
const warm = () => {
  const run = spawnSync(
    process.execPath,
    [join(fresh, 'sconce.cjs'), 'doctor', '--profile', 'simulated', '--port', '9'],
    { env: { ...process.env, SCONCE_KEEP_CODE: '1' }, encoding: 'utf8' },
  );
  if (run.status !== 0) throw new Error(`the bundle does not run: ${run.stderr.slice(-2000)}`);
};

rmSync(fresh, { recursive: true, force: true });
mkdirSync(fresh, { recursive: true });
try {
  profiles();
  await Promise.all([client(), server(), responder(), yaml()]);
  warm();
  // Swapped by two renames, so that nobody starts a half-written bundle.
  const old = join(root, `.dist-${process.pid}-old`);
  if (existsSync(out)) renameSync(out, old);
  renameSync(fresh, out);
  rmSync(old, { recursive: true, force: true });
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
