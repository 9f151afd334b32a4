// The scripts of the pages, and the strings and icons that each page draws with, so that a page is sent nothing else.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build, transform } from 'esbuild';
import { faultsIn, readIcons, readWords, shortened, shortNames, usedIn } from './words.mjs';

/** The browser floor of the pages: a 2019 WebView. */
const browserTarget = 'chrome83';

/**
 * Chromium has `?.` from version 80; before 91 only spread arguments of an optional call failed, which a test keeps out
 * of the pages (test/rules/browser-floor.test.ts).
 */
const supported = { 'optional-chain': true };

/** The list of the pages' scripts: each function that it exports becomes one file. */
const list = 'ui/elements/pages.ts';

/** The table of the pages, by name; `root` is the folder of the sources. */
async function readPageTable(root) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['ui/page-table.ts'],
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    write: false,
    logLevel: 'warning',
  });
  const { pageTable } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  return pageTable;
}

/**
 * The stylesheets by asset name: the one of every page, which imports the others, and those of single pages. Nothing is
 * written.
 */
export async function pageStyles(root) {
  const table = await readPageTable(root);
  const own = [...new Set(Object.values(table).flatMap(({ styles = [] }) => styles))];
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [
      { in: 'ui/styles/main.css', out: 'app' },
      ...own.map((name) => ({ in: `ui/styles/${name}.css`, out: name })),
    ],
    outdir: 'assets',
    write: false,
    bundle: true,
    minify: true,
    target: browserTarget,
    metafile: true,
    logLevel: 'warning',
  });
  const styles = outputFiles.map(({ path, text }) => ({
    name: relative(join(root, 'assets'), path),
    // esbuild keeps the blank before the value of a property of ours, where it means nothing.
    code: text.replace(/(?<=[{;]--[\w-]+:) /g, ''),
  }));
  return { styles, metafile };
}

async function scriptNames(root) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [list],
    format: 'esm',
    outdir: 'nowhere',
    write: false,
    metafile: true,
  });
  return Object.values(metafile.outputs).flatMap(({ exports }) => exports);
}

/** An entry for each function of the list; modules that it does not need are left out of its file. */
const onePage = (root) => ({
  name: 'one-page',
  setup: (plan) => {
    plan.onResolve({ filter: /^page:/ }, ({ path }) => ({ path: path.slice('page:'.length), namespace: 'page' }));
    plan.onLoad({ filter: /.*/, namespace: 'page' }, ({ path: name }) => ({
      contents: `import { ${name} } from './${list}'; ${name}();`,
      resolveDir: root,
    }));
    plan.onResolve({ filter: /^\./ }, async ({ path, pluginData, ...how }) => {
      if (pluginData === 'resolving' || !how.resolveDir.startsWith(root) || how.kind === 'entry-point') return null;
      const found = await plan.resolve(path, { ...how, pluginData: 'resolving' });
      // Modules of the pages only define; loading one has no side effect.
      return found.path.startsWith(join(root, 'ui/')) ? { ...found, sideEffects: false } : found;
    });
  },
});

/** Where a script takes its strings from: a block that the server wrote before it. */
const brought = 'JSON.parse(document.getElementById("strings").textContent)';

/** Begins the name of what is private to a class in the pages' sources. */
const ownPrefix = 'private_';

/** A private member where it is declared, and where it is used. */
const privateNames = /(?<=^ +(?:(?:readonly|async|static|get|set) )*|\.)#(?=[a-z]\w*)/gm;

/**
 * Makes private members of the pages' elements ordinary ones, whose names are shortened later: the browser floor has no
 * private methods, and what esbuild replaces them with was a tenth of some scripts. No two classes share an object, as
 * each extends an element of the browser at most (a test).
 */
const ordinaryMembers = (root) => ({
  name: 'ordinary-members',
  setup: (plan) => {
    plan.onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
      if (!path.startsWith(join(root, 'ui/'))) return null;
      const contents = readFileSync(path, 'utf8').replace(privateNames, ownPrefix);
      return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' };
    });
  },
});

/** How a script is made small; `id` is the only name of two letters that elements of the browser have. */
const smallScript = {
  minify: true,
  target: browserTarget,
  supported,
  legalComments: 'inline',
  mangleProps: new RegExp(`^${ownPrefix}`),
  reserveProps: /^id$/,
};

/** In the browser the strings are those that came with the page. */
const broughtWords = {
  name: 'brought-words',
  setup: (plan) => {
    plan.onResolve({ filter: /^#ui\/strings\/catalogue\.ts$/ }, () => ({ path: 'strings', namespace: 'brought' }));
    plan.onLoad({ filter: /.*/, namespace: 'brought' }, () => ({
      contents: `export const catalogue = ${brought};`,
    }));
  },
};

/** Every source of the pages, with its path below `root`. */
const sourcesOf = (root) =>
  readdirSync(join(root, 'ui'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ file: relative(root, file), text: readFileSync(file, 'utf8') }));

/** Throws if a source names a string or an icon that does not exist, listing every such place. */
function checkSources(root, words, icons) {
  const faults = sourcesOf(root).flatMap(({ file, text }) =>
    faultsIn(text, words, icons).map(({ line, what }) => `${file}:${line}: ${what}`),
  );
  if (faults.length > 0) throw new Error(`the pages name what does not exist:\n${faults.join('\n')}`);
}

/** A script that another loads when it is first needed (`elements/load-script.ts`). */
const loads = /(?<!function )\bloadBeside\((?:"([\w-]+)"\))?/g;

/** The scripts that a script loads when they are first needed, by name. */
const loadedBy = (file, text) =>
  Array.from(text.matchAll(loads), ([, name]) => {
    if (name === undefined) throw new Error(`${file} loads a script whose name is not written out`);
    return name;
  });

/** The scripts with all that they load, and what those load. */
function withLoaded(names, loaded) {
  const all = new Set(names);
  // A set also visits what is added meanwhile.
  for (const name of all) for (const next of loaded.get(name) ?? []) all.add(next);
  return [...all];
}

/** Throws if the list of scripts is not that of the table and of what its scripts load. */
function checkScripts(table, names, loaded) {
  const named = withLoaded(
    Object.values(table).flatMap(({ scripts }) => scripts),
    loaded,
  );
  const missing = named.filter((name) => !names.includes(name));
  if (missing.length > 0) throw new Error(`${list} has no function for the scripts ${missing.join(', ')}`);
  const idle = names.filter((name) => !named.includes(name));
  if (idle.length > 0) throw new Error(`no page of ui/page-table.ts has or loads the scripts ${idle.join(', ')}`);
}

/** `profileEditor` becomes `profile-editor`. */
const assetOf = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** A script with its strings in it, so that no page is sent them. */
function withOwnWords(name, text, keys, words) {
  if (keys.length === 0) return text;
  if (!text.includes(brought)) throw new Error(`${name} takes its strings from elsewhere`);
  return text.replace(brought, () => JSON.stringify(Object.fromEntries(keys.map((key) => [key, words.get(key)]))));
}

/**
 * The scripts of the pages by asset name, and what each page of the table draws with: `words` as JSON that is safe in a
 * script element, `icons` by name. `drawn` has the keys, also of each script that is loaded later. Nothing is written.
 */
export async function pageBundles(root) {
  const [table, names] = await Promise.all([readPageTable(root), scriptNames(root)]);
  const [words, icons] = [readWords(root), readIcons(root)];
  checkSources(root, words, icons);
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: names.map((name) => ({ in: `page:${name}`, out: assetOf(name) })),
    outdir: 'assets',
    write: false,
    bundle: true,
    format: 'iife',
    target: browserTarget,
    supported,
    // Not the automatic runtime, whose calls name `children` at each element.
    tsconfigRaw: { compilerOptions: { strict: true, jsx: 'react', jsxFactory: 'h', jsxFragmentFactory: 'Fragment' } },
    inject: [join(root, 'ui/elements/jsx-runtime.ts')],
    plugins: [onePage(root), ordinaryMembers(root), broughtWords],
    metafile: true,
    logLevel: 'warning',
  });
  const used = new Map();
  const loaded = new Map();
  for (const { path, text } of outputFiles) {
    const name = relative(join(root, 'assets'), path).replace(/\.js$/, '');
    used.set(name, usedIn(text, words, icons));
    loaded.set(name, loadedBy(name, text));
  }
  checkScripts(table, names.map(assetOf), loaded);
  // A key that any script composes from a code keeps its full name everywhere.
  const made = new Set([...used.values()].flatMap((part) => part.made));
  const short = shortNames([...words.keys()].filter((key) => !made.has(key)));
  const onDemand = new Set([...loaded.values()].flat());
  const bringing = new Set([
    ...onDemand,
    ...Object.values(table).flatMap((page) => (page.bringsWords ? page.scripts : [])),
  ]);
  const scripts = await Promise.all(
    outputFiles.map(async ({ path, text }) => {
      const name = relative(join(root, 'assets'), path);
      const script = name.replace(/\.js$/, '');
      const program = bringing.has(script) ? withOwnWords(name, text, used.get(script).keys, words) : text;
      const { code } = await transform(shortened(program, short), smallScript);
      return { name, code };
    }),
  );
  const pages = {};
  const drawn = Object.fromEntries([...onDemand].map((name) => [name, used.get(name).keys]));
  for (const [page, { scripts: own, bringsWords }] of Object.entries(table)) {
    const partsOf = (some) => some.map((name) => used.get(name));
    const keys = new Set(partsOf(own).flatMap((part) => part.keys));
    drawn[page] = [...keys];
    const sent = [...words]
      .filter(([key]) => !bringsWords && keys.has(key))
      .map(([key, text]) => [short.get(key) ?? key, text]);
    pages[page] = {
      // Only this character could end a script element from the inside.
      words: JSON.stringify(Object.fromEntries(sent)).replace(/</g, '\\u003c'),
      icons: [...new Set(partsOf(withLoaded(own, loaded)).flatMap((part) => part.icons))],
    };
  }
  return { scripts, pages, drawn, metafile };
}
