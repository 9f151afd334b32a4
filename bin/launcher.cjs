// Starts the bundle beside it with the compiled code that V8 kept at build time: half of the start-up time is
// compiling. Code of another version of Node, or of another bundle, is refused by V8 itself and the bundle is compiled
// as usual.
'use strict';
// Else Node opens its debugger at this signal, and any user of the machine could connect to it. First of all, so that
// there is no moment for it; --disable-sigusr1 is not known to Node 20, which would not start with it.
process.on('SIGUSR1', () => {});

const { readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');

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
