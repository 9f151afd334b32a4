// Starts the bundle beside it with the compiled code that V8 kept at build time: half of the start-up time is
// compiling. Code of another version of Node, or of another bundle, is refused by V8 itself and the bundle is compiled
// as usual.
'use strict';
const { readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const v8 = require('node:v8');
const vm = require('node:vm');

// A start fills the space for new objects, V8 makes that 32 MB for good, and an idle panel needs 1 MB. The code of
// Node's own modules was compiled without this flag and is refused under it: what a start needs of them comes first.
for (const name of ['https', 'http2', 'worker_threads', 'readline', 'zlib', 'dgram', 'child_process', 'dns/promises'])
  require(name);
void globalThis.Response; // Loads what fetch is made of.
v8.setFlagsFromString('--semi-space-growth-factor=1');

const file = path.join(__dirname, 'agent.cjs');
const kept = path.join(__dirname, 'agent.code');

const readKept = () => {
  try {
    return readFileSync(kept);
  } catch {
    return undefined;
  }
};

const script = new vm.Script(
  `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'utf8')}\n})`,
  {
    filename: file,
    cachedData: readKept(),
  },
);
if (process.env.SCONCE_KEEP_CODE === '1') process.once('exit', () => writeFileSync(kept, script.createCachedData()));
const bundle = { exports: {} };
script.runInThisContext()(bundle.exports, require, bundle, file, __dirname);
