// Loads the agent from the one file beside this one: an index, then the scripts, each with the code that V8 compiled at
// build time, since half of the start-up time is compiling. V8 itself refuses the code of another version of Node, and
// the script is then compiled as usual. The file is opened once and stays open: a build or an update replaces it while
// the agent runs, and what is loaded later must still come from this one.
'use strict';
// Otherwise Node opens its debugger at this signal, and any user of the machine could connect to it. This comes first,
// so that there is no gap; Node 20 does not know --disable-sigusr1 and would not start with it.
process.on('SIGUSR1', () => {});
// Until the agent handles these itself (endings.ts) there is nothing to stop, and an orderly end is no failure. A start
// that hangs before then ends only by SIGKILL, which systemd sends. Other commands die by the signal, so that they do
// not count as finished.
if (process.argv[2] === 'run')
  for (const signal of ['SIGTERM', 'SIGINT'])
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(0);
    });

const { fstatSync, openSync, readSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const vm = require('node:vm');

const file = path.join(__dirname, 'agent.pack');
const url = pathToFileURL(file).href;

/** Fills the bytes with what the file has from there on. */
function fill(bytes, from) {
  for (let got = 0; got < bytes.length;) {
    const more = readSync(pack, bytes, got, bytes.length - got, from + got);
    if (more === 0) throw new Error('agent.pack is cut short');
    got += more;
  }
  return bytes;
}

const slice = (from, length) => fill(Buffer.allocUnsafeSlow(length), from);

/** Digits that hold the length of the index (bin/pack.mjs). */
const digits = 10;
let pack, length, entry, scripts;
try {
  pack = openSync(file, 'r');
  length = Number(slice(0, digits).toString('latin1'));
  ({ entry, scripts } = JSON.parse(slice(digits, length).toString('latin1')));
  const pieces = scripts.flatMap(({ text, code }) => (code === undefined ? [text] : [text, code]));
  const end = Math.max(...pieces.map(([at, size]) => at + size));
  if (fstatSync(pack).size < digits + length + end) throw new Error('agent.pack is cut short');
} catch {
  process.stderr.write(
    `sconce: ${file} is missing or damaged. Build it again with "npm run build", or install Sconce again.\n`,
  );
  process.exit(1);
}
const scriptOf = new Map(scripts.flatMap((script) => script.chunks.map((name) => [name, script])));
/** The exports of each chunk, once it was loaded. */
const loaded = new Map();
/** The scripts that were compiled, for the build. */
const compiled = new Map();

/** The functions of a script's chunks, by the name of the chunk. */
function open(script) {
  const [at, size] = script.text;
  const from = digits + length;
  const [codeAt, codeSize] = script.code ?? [0, 0];
  // Megabytes, which would otherwise stay until V8 collects: a buffer that shrinks gives back its pages at once.
  const memory = new ArrayBuffer(size + codeSize, { maxByteLength: size + codeSize });
  const text = fill(Buffer.from(memory, 0, size), from + at).toString('latin1');
  const code = codeSize > 0 ? fill(Buffer.from(memory, size, codeSize), from + codeAt) : undefined;
  const made = new vm.Script(text, { filename: path.join(__dirname, script.name), cachedData: code });
  memory.resize(0);
  if (process.env.SCONCE_KEEP_CODE !== undefined) compiled.set(script.name, made);
  return made.runInThisContext();
}

function load(name) {
  const there = loaded.get(name);
  if (there !== undefined) return there.exports;
  const script = scriptOf.get(name);
  if (script === undefined) return require(name);
  script.opened ??= open(script);
  const chunk = { exports: {} };
  loaded.set(name, chunk);
  try {
    script.opened[name](chunk.exports, load, chunk, url);
  } catch (error) {
    // Otherwise the next caller would get a half-evaluated chunk.
    loaded.delete(name);
    throw error;
  }
  // It is called once, and its compiled code is larger than what it leaves behind.
  delete script.opened[name];
  return chunk.exports;
}

if (process.env.SCONCE_KEEP_CODE !== undefined)
  process.once('exit', () => {
    for (const [name, script] of compiled)
      writeFileSync(path.join(process.env.SCONCE_KEEP_CODE, name), script.createCachedData());
  });
load(entry);
