// Puts the chunks of the agent into one file: an index, then scripts, each with the code that V8 compiled. A script
// holds the chunks that are needed together; a chunk is evaluated when it is first required.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { transform } from 'esbuild';

/** Digits that hold the length of the index (bin/launcher.cjs, bin/assets.ts). */
const digits = 10;

/** The chunks that a chunk needs when it is evaluated, including itself. */
function closureOf(outputs, first) {
  const reached = new Set();
  const visit = (path) => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const { path: next, kind, external } of outputs[path].imports)
      if (kind === 'import-statement' && external !== true) visit(next);
  };
  visit(first);
  return reached;
}

/**
 * The script of each chunk: that of the first list of entries that needs it, otherwise one for all chunks that the same
 * entries need.
 */
export function scriptsOf(outputs, first) {
  const entries = Object.entries(outputs).flatMap(([path, { entryPoint }]) =>
    entryPoint === undefined ? [] : [{ path, entryPoint, needs: closureOf(outputs, path) }],
  );
  const unknown = Object.values(first)
    .flat()
    .filter((name) => !entries.some(({ entryPoint }) => entryPoint === name));
  if (unknown.length > 0) throw new Error(`no chunk begins at ${unknown.join(', ')}, which a script is to hold`);
  const scripts = new Map();
  for (const path of Object.keys(outputs)) {
    const needing = entries.filter(({ needs }) => needs.has(path)).map(({ entryPoint }) => entryPoint);
    const named = Object.entries(first).find(([, of]) => needing.some((entry) => of.includes(entry)));
    const key = named?.[0] ?? needing.toSorted((a, b) => a.localeCompare(b)).join(' ');
    scripts.set(key, [...(scripts.get(key) ?? []), path]);
  }
  // A script that one entry alone needs is named after it.
  const nameOf = (key, index) => {
    if (Object.hasOwn(first, key)) return key;
    return key.includes(' ') ? `shared-${index}` : key.replace(/^.*node_modules\/|\.tsx?$/g, '').replaceAll('/', '-');
  };
  return [...scripts].map(([key, chunks], index) => ({ name: nameOf(key, index), chunks }));
}

/**
 * What the chunks of a script share of esbuild's helpers: exports are read from the variables, and a module of Node is
 * its own default export.
 */
const helpers = `var __export=(target,all)=>{
for(let name in all)Object.defineProperty(target,name,{get:all[name],enumerable:!0})
},__toESM=mod=>{
let made=Object.create(Object.getPrototypeOf(mod),{default:{value:mod,enumerable:!0}});
for(let key of Object.getOwnPropertyNames(mod))
key!=="default"&&Object.defineProperty(made,key,{get:()=>mod[key],enumerable:mod.propertyIsEnumerable(key)});
return made
};`;

/** Where a text has that piece; throws if it does not, since esbuild then writes another one. */
function placeOf(piece, text, name) {
  const at = text.indexOf(piece);
  if (at < 0) throw new Error(`esbuild writes the exports of ${name} in another way: there is no ${piece}`);
  return at;
}

/**
 * A chunk with exports without the helpers that esbuild writes into each, about a kilobyte, and without the second
 * object into which it copies the exports: each is a function, a pair of accessors and a shape, and slows each use.
 */
function withoutHelpers(name, code) {
  const [begin, exported] = ['var stdin_exports={};', 'module.exports=__toCommonJS(stdin_exports);'];
  const from = placeOf(begin, code, name) + begin.length;
  const to = placeOf(exported, code, name);
  // What tells Node the names of the exports, which nothing asks it for.
  const end = placeOf('0&&(module.exports={', code, name);
  const named = code.slice(from, to);
  if (!named.startsWith('__export(stdin_exports,{')) throw new Error(`${name} exports what another chunk exports`);
  return `${named.replace('stdin_exports', 'exports')}${code.slice(to + exported.length, end)}`;
}

/**
 * Escapes what esbuild leaves as it is in regular expressions: a character beyond Latin-1 would be cut to its low byte,
 * or V8 would hold the whole script in two bytes per character.
 */
const inAscii = (code) =>
  code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * A chunk as a function of a script: `import()` becomes a promise of what `require` returns, which cached code allows.
 */
async function functionOf(name, text, hasExports) {
  const { code } = await transform(text, {
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    supported: { 'dynamic-import': false },
    minifySyntax: true,
    minifyWhitespace: true,
  });
  const own = hasExports ? withoutHelpers(name, code) : code;
  // The exports of a chunk are what `import()` returns.
  const body = inAscii(own.replaceAll('__toESM(require("./', '(require("./'));
  return `${JSON.stringify(name)}:function(exports,require,module,__bundleUrl){${body}\n}`;
}

/** In a split bundle `import()` of a CommonJS package has no named exports: a module of ours has to name them. */
function checkPackages(outputs) {
  for (const { entryPoint, exports } of Object.values(outputs))
    if (entryPoint?.includes('node_modules/') && exports.length === 1 && exports[0] === 'default')
      throw new Error(`${entryPoint} is CommonJS: import() a module that exports what is used of it`);
}

/** The scripts of a bundle that esbuild split, each as text of one byte per character. */
export async function makeScripts({ metafile, outputFiles }, entryPoint, first) {
  const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  const { outputs } = metafile;
  checkPackages(outputs);
  const functionAt = (path) =>
    functionOf(`./${basename(path)}`, texts.get(basename(path)), outputs[path].exports.length > 0);
  const scripts = await Promise.all(
    scriptsOf(outputs, first).map(async ({ name, chunks }) => {
      const names = chunks.map((path) => `./${basename(path)}`);
      const functions = await Promise.all(chunks.map(functionAt));
      const text = `(()=>{${helpers}return{${functions.join(',\n')}}})()`;
      return { name: `${name}.js`, chunks: names, text: Buffer.from(text, 'latin1') };
    }),
  );
  const entry = Object.keys(outputs).find((path) => outputs[path].entryPoint === entryPoint);
  return { entry: `./${basename(entry)}`, scripts };
}

/** Consecutive pieces of a file; `put` returns where one begins, and its length. */
function pieces() {
  const bytes = [];
  let at = 0;
  return {
    bytes,
    put: (piece) => {
      bytes.push(piece);
      at += piece.length;
      return [at - piece.length, piece.length];
    },
  };
}

/** Writes an index that says where each piece is, then the pieces. */
function writeIndexed(file, index, bytes) {
  const head = Buffer.from(JSON.stringify(index), 'latin1');
  writeFileSync(file, Buffer.concat([Buffer.from(String(head.length).padStart(digits, '0')), head, ...bytes]));
}

/** Writes the file, with the cached code of each script that any of the folders has. */
export function writePack(file, { entry, scripts }, codeFolders = []) {
  const { bytes, put } = pieces();
  const index = scripts.map(({ name, chunks, text }) => {
    const kept = codeFolders.map((folder) => join(folder, name)).find((path) => existsSync(path));
    return { name, chunks, text: put(text), ...(kept === undefined ? {} : { code: put(readFileSync(kept)) }) };
  });
  writeIndexed(file, { entry, scripts: index }, bytes);
}

/** Writes the files of a folder into one, each with its compressed forms; see bin/assets.ts. */
export function writeAssetPack(file, folder) {
  const { bytes, put } = pieces();
  const names = readdirSync(folder).toSorted();
  const form = (name) => (names.includes(name) ? put(readFileSync(join(folder, name))) : undefined);
  const index = names
    .filter((name) => !/\.(?:br|gz)$/.test(name))
    .map((name) => ({ name, body: form(name), br: form(`${name}.br`), gzip: form(`${name}.gz`) }));
  writeIndexed(file, index, bytes);
}
