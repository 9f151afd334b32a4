// Builds what users start: one pack for Node, and the assets that browsers load. Needs only esbuild and js-yaml.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'esbuild';
import { load } from 'js-yaml';
import { companion } from './build/companion.mjs';
import { pageBundles, pageStyles } from './build/page-bundles.mjs';
import { readWords } from './build/words.mjs';
import { bundledPackages, noticesOf } from './notices/notices.mjs';
import { makeScripts, writeAssetPack, writePack } from './pack.mjs';
import { warm } from './warm.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const out = join(root, 'dist');
const fresh = join(root, `.dist-${process.pid}`);
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

function writeAssets(files) {
  mkdirSync(join(fresh, 'assets'), { recursive: true });
  for (const { name, code } of files) writeFileSync(join(fresh, 'assets', name), code);
}

/** The scripts of the pages, and the strings and icons that each page is sent for them. */
async function scripts() {
  const { scripts: files, pages, metafile } = await pageBundles(root);
  writeAssets(files);
  writeFileSync(join(fresh, 'pages.json'), JSON.stringify(pages));
  return { metafile };
}

async function styles() {
  const { styles: files, metafile } = await pageStyles(root);
  writeAssets(files);
  return { metafile };
}

/**
 * Compressed forms of the assets, stored beside them; made at build time, with the strongest compression. Browsers
 * accept Brotli only over TLS and on the machine itself.
 */
const compress = (names) =>
  Promise.all(
    names.map(async (name) => {
      const file = join(fresh, 'assets', name);
      const bytes = readFileSync(file);
      const { BROTLI_PARAM_MODE: mode, BROTLI_MODE_TEXT: text, BROTLI_PARAM_SIZE_HINT: hint } = constants;
      const forms = {
        gz: await promisify(gzip)(bytes, { level: 9 }),
        br: await promisify(brotliCompress)(bytes, { params: { [mode]: text, [hint]: bytes.length } }),
      };
      for (const [end, form] of Object.entries(forms))
        if (form.length < bytes.length) writeFileSync(`${file}.${end}`, form);
    }),
  );

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

/**
 * Leaves out the store that hono keeps for asynchronous components: a page is rendered in one go, and in Node 20 the
 * store slows down every event and promise of the process for good, once one page was shown.
 */
const writtenInOneGo = {
  name: 'written-in-one-go',
  setup: (plan) => {
    plan.onLoad({ filter: /[/\\]hono[/\\]dist[/\\]jsx[/\\]context\.js$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const contents = source.replace('let alsProbed = false;', 'let alsProbed = true;');
      if (contents === source) throw new Error(`${path} asks for its store in another way`);
      return { contents, loader: 'js' };
    });
  },
};

/** Exports that nothing here uses. */
const absent = (names) => names.map((name) => `export const ${name} = undefined;`).join('\n');

/** Modules of libraries that others import and nothing here uses, and what is left of them. */
const unused = {
  // Compiles schemas to programs; the agent reads each with the schema itself.
  'zod/v4/core/compile.js': absent([
    'INVALID',
    'compile',
    'withParser',
    'ZodCompileAsyncError',
    'ZodCompileUnsupportedError',
  ]),
  'zod/v4/classic/from-json-schema.js': absent(['fromJSONSchema']),
  // In the agent's own chunks it is only a client; the server is in a file of its own.
  'ws/lib/websocket-server.js': 'module.exports = undefined;',
};

/**
 * Leaves out what of libraries nothing here uses: these modules, and of hono's components those that are not imported,
 * such as the ones for browsers; loading one has no side effect.
 */
const withoutUnused = {
  name: 'without-unused',
  setup: (plan) => {
    for (const [file, contents] of Object.entries(unused)) {
      const filter = new RegExp(`[/\\\\]${file.replaceAll('.', '\\.').replaceAll('/', '[/\\\\]')}$`);
      plan.onLoad({ filter }, () => ({ contents, loader: 'js' }));
    }
    plan.onResolve({ filter: /^\.{1,2}\// }, ({ path, resolveDir }) =>
      /[/\\]hono[/\\]dist[/\\]jsx(?:[/\\]|$)/.test(resolveDir)
        ? { path: join(resolveDir, path), sideEffects: false }
        : null,
    );
  },
};

/**
 * Leaves out HTTP/2, which the library in front of the routes loads only to tell its requests apart; the agent serves
 * none.
 */
const withoutHttp2 = {
  name: 'without-http2',
  setup: (plan) => {
    plan.onResolve({ filter: /^node:http2$/ }, () => ({ path: 'http2', namespace: 'absent' }));
    plan.onLoad({ filter: /^http2$/, namespace: 'absent' }, () => ({
      contents: 'export class Http2ServerRequest {}\nexport const constants = {};',
      loader: 'js',
    }));
  },
};

/**
 * Keeps zod from compiling a program for each object that it reads: most are read once in the agent's life, and those
 * of a start alone took 2.5 ms. It is set where the configuration is made, since an object schema asks when it is made.
 */
const interpreted = {
  name: 'interpreted',
  setup: (plan) => {
    plan.onLoad({ filter: /[/\\]zod[/\\]v4[/\\]core[/\\]core\.js$/ }, ({ path }) => ({
      contents: `${readFileSync(path, 'utf8')}\nconfig({ jitless: true });`,
      loader: 'js',
    }));
  },
};

/**
 * Reads zod as a namespace where its `z` is imported, which is the same: esbuild then takes what is used of it, and no
 * object with all its exports is made. The library that describes the routes passes it on, for one class of it.
 */
const zodByName = {
  name: 'zod-by-name',
  setup: (plan) => {
    plan.onLoad({ filter: /\.tsx?$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(/^import \{ z \} from 'zod';$/m, "import * as z from 'zod';"),
      loader: path.endsWith('x') ? 'tsx' : 'ts',
    }));
    plan.onLoad({ filter: /[/\\]@hono[/\\]zod-openapi[/\\]dist[/\\]index\.mjs$/ }, ({ path }) => {
      const changes = [
        ['import { z } from "zod";', 'import { ZodType } from "zod";'],
        ['extendZodWithOpenApi(z);', 'extendZodWithOpenApi({ ZodType });'],
        ['extendZodWithOpenApi, z };', 'extendZodWithOpenApi };'],
      ];
      const source = readFileSync(path, 'utf8');
      for (const [from] of changes) if (!source.includes(from)) throw new Error(`${path} has no ${from}`);
      return { contents: changes.reduce((text, [from, to]) => text.replace(from, to), source), loader: 'js' };
    });
  },
};

/**
 * The strings of the pages as one text that is parsed: as object literals of their own, copied into one object, they
 * took 5 ms of each start.
 */
const wordsAsText = {
  name: 'words-as-text',
  setup: (plan) => {
    plan.onLoad({ filter: /[/\\]ui[/\\]strings[/\\]catalogue\.ts$/ }, () => {
      const text = JSON.stringify(Object.fromEntries(readWords(root)));
      return { contents: `export const catalogue = JSON.parse(${JSON.stringify(text)});`, loader: 'js' };
    });
  },
};

/** The mDNS responder: a separate program, which the agent starts. */
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
    metafile: true,
    logLevel: 'warning',
  });

/** Bundles what a module of those exports brings in, to a file of its own. */
const libraries = (file, contents) =>
  build({
    absWorkingDir: root,
    stdin: { contents, resolveDir: root },
    outfile: join(fresh, file),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    // Native code that the WebSocket library takes if it is there.
    external: ['bufferutil', 'utf-8-validate'],
    metafile: true,
    logLevel: 'warning',
  });

/** The YAML library, which the agent loads when it first reads a profile. */
const yaml = () =>
  libraries(
    'yaml.cjs',
    "export { CORE_SCHEMA, EVENT_ID, YAMLException, constructFromEvents, getScalarValue, parseEvents } from 'js-yaml';",
  );

/**
 * The WebSocket library with its server, which the agent loads when the first Home Assistant connects: without it the
 * agent only has the client's half.
 */
const websocketServer = () => libraries('websocket-server.cjs', "export { WebSocketServer } from 'ws';");

/** The libraries for archives, which the agent loads at the first backup or restore. */
const zip = () =>
  libraries('zip.cjs', "export { ZipFile as ZipWriter } from 'yazl';\nexport { openPromise as openZip } from 'yauzl';");

/** The profiles as they are, and parsed, so that a start reads no YAML. */
function profiles() {
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
}

/** The named scripts of the agent's pack: what a start needs is in one of them, even if other chunks need it too. */
const named = ({ inputs }) => ({
  main: ['bin/main.ts'],
  core: ['bin/arguments.ts', 'bin/run.ts'],
  pages: ['routes/app.ts', 'routes/status/status-reader.ts'],
  // The groups that are loaded later.
  late: inputs['bin/parts/all.ts'].imports.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => path),
});

/** Builds the agent, split where a chunk begins; returns what its pack is written from. */
async function server() {
  const result = await build({
    absWorkingDir: root,
    entryPoints: ['bin/main.ts'],
    outdir: join(fresh, 'chunks'),
    write: false,
    bundle: true,
    platform: 'node',
    format: 'esm',
    splitting: true,
    // These names stand at each use of another chunk.
    chunkNames: '[hash]',
    // The pages' own configuration would replace the server's modules with those for browsers.
    tsconfig: join(root, 'tsconfig.json'),
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    // Native code cannot be bundled; it is loaded only where it is needed.
    external: ['koffi', 'bufferutil', 'utf-8-validate'],
    plugins: [englishOnly, writtenInOneGo, withoutHttp2, withoutUnused, wordsAsText, interpreted, zodByName],
    define: { 'import.meta.url': '__bundleUrl' },
    metafile: true,
    logLevel: 'warning',
  });
  writeFileSync(join(fresh, 'meta.json'), JSON.stringify(result.metafile));
  // V8 keeps a code cache only for scripts, so the chunks become functions of a few scripts; see launcher.cjs.
  const packed = await makeScripts(result, 'bin/main.ts', named(result.metafile));
  const digest = createHash('sha256');
  for (const { text } of packed.scripts) digest.update(text);
  writeFileSync(join(fresh, 'build.json'), JSON.stringify({ version, build: digest.digest('hex').slice(0, 8) }));
  copyFileSync(join(root, 'bin/launcher.cjs'), join(fresh, 'sconce.cjs'));
  copyFileSync(join(root, 'bin/install/relight'), join(fresh, 'relight'));
  // The files that an installation is made of.
  cpSync(join(root, 'bin/install'), join(fresh, 'install'), {
    recursive: true,
    filter: (file) => !/(?:\.ts|\.md|relight)$/.test(file),
  });
  return { ...result, packed };
}

/** Our licence, and those of what was bundled; native code is installed as a package beside the bundles. */
function notices(results) {
  const packages = bundledPackages(results.map(({ metafile }) => metafile));
  // The packages may be in a folder above this one.
  const resolved = createRequire(join(root, 'package.json')).resolve('koffi');
  const native = relative(
    root,
    resolved.slice(0, resolved.lastIndexOf('/node_modules/koffi/') + '/node_modules/koffi'.length),
  );
  writeFileSync(join(fresh, 'NOTICES.txt'), noticesOf(root, [...packages, native]));
  copyFileSync(join(root, 'LICENSE'), join(fresh, 'LICENSE'));
  // The page /about links to both.
  copyFileSync(join(fresh, 'NOTICES.txt'), join(fresh, 'assets/notices.txt'));
  copyFileSync(join(root, 'LICENSE'), join(fresh, 'assets/licence.txt'));
}

/** Writes the pack, runs it, and writes it again with the code that V8 compiled meanwhile. */
async function pack(packed) {
  const file = join(fresh, 'agent.pack');
  writePack(file, packed);
  const scratch = mkdtempSync(join(tmpdir(), 'sconce-build-'));
  try {
    writePack(file, packed, await warm(join(fresh, 'sconce.cjs'), scratch));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

rmSync(fresh, { recursive: true, force: true });
mkdirSync(fresh, { recursive: true });
try {
  profiles();
  const files = Promise.all([scripts(), styles()]);
  const compressed = files.then(() => compress(readdirSync(join(fresh, 'assets'))));
  const programs = await Promise.all([server(), responder(), yaml(), zip(), websocketServer()]);
  await compressed;
  notices([...(await files), ...programs]);
  await compress(['notices.txt', 'licence.txt']);
  // Served by the route for it.
  copyFileSync(await companion(root, fresh, version), join(fresh, 'assets/companion.zip'));
  writeAssetPack(join(fresh, 'assets.pack'), join(fresh, 'assets'));
  rmSync(join(fresh, 'assets'), { recursive: true });
  await pack(programs[0].packed);
  // Two renames swap the folders, so that no one can start a half-written bundle.
  const old = join(root, `.dist-${process.pid}-old`);
  if (existsSync(out)) renameSync(out, old);
  renameSync(fresh, out);
  rmSync(old, { recursive: true, force: true });
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
