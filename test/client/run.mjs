// Makes clients of the OpenAPI document of a real agent and of that of the version before (`before.json`), compiles and
// runs them: run.mjs CACHE, the folder for what is installed. Exit code 77 means that npm could not install it; the
// last line says so.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serve, silence, startAgent } from '../run/agent.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const [cache] = process.argv.slice(2);
if (cache === undefined) {
  console.error('run.mjs CACHE');
  process.exit(2);
}

/** The generator, its runtime and their compiler, as locked; installed once. */
function installed() {
  const lock = createHash('sha256')
    .update(readFileSync(join(here, 'package-lock.json')))
    .digest('hex');
  const folder = join(cache, `client-${lock.slice(0, 12)}`);
  if (existsSync(folder)) return folder;
  const half = `${folder}.${process.pid}`;
  mkdirSync(half, { recursive: true });
  try {
    for (const name of ['package.json', 'package-lock.json']) cpSync(join(here, name), join(half, name));
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: half,
      stdio: ['ignore', 'inherit', 'inherit'],
      timeout: 240_000,
    });
    renameSync(half, folder);
  } catch (error) {
    rmSync(half, { recursive: true, force: true });
    // Another process was faster.
    if (existsSync(folder)) return folder;
    console.log(`npm could not install the generator of clients (${error.code ?? `exit code ${error.status}`})`);
    process.exit(77);
  }
  return folder;
}

const modules = join(installed(), 'node_modules');
const folder = mkdtempSync(join(tmpdir(), 'sconce-client-'));
const { server, url: sounds } = await serve((_, response) =>
  response.writeHead(200, { 'content-type': 'audio/wav' }).end(silence()),
);

let said = '';
function say(text) {
  process.stdout.write(text);
  said += text;
}
/** Runs a program of Node and says whether it did its work. */
async function step(name, ...args) {
  const code = await new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.on('data', say);
    child.once('close', resolve);
  });
  say(code === 0 ? `ok ${name}\n` : `failed: ${name} | exit code ${code}\n`);
  return code === 0;
}

const simulated = readFileSync(new URL('../../profiles/bundled/simulated.yaml', import.meta.url));

/** A data folder in which the simulated panel is selected: what the command line names cannot be replaced. */
function selected(name) {
  const data = join(folder, name);
  const ref = { id: 'simulated', revision: createHash('sha256').update(simulated).digest('hex') };
  mkdirSync(join(data, 'profiles'), { recursive: true });
  writeFileSync(
    join(data, 'profiles', 'activation.json'),
    JSON.stringify({
      version: 1,
      generation: 1,
      selection: { mode: 'pinned', ...ref },
      since: 1,
      proven: ref,
      screenProven: true,
      earlier: null,
      trial: null,
      setback: null,
    }),
  );
  return data;
}

/** The profile that an agent uses, once it has read its catalogue. */
async function activeAt(url) {
  for (const deadline = Date.now() + 10_000; ;) {
    const response = await fetch(`${url}/api/v1/profiles`);
    if (response.ok) return (await response.json()).active;
    if (Date.now() > deadline) throw new Error(`the catalogue is not read: ${response.status}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Runs what a client does most, in the folder of its types, against an agent of its own, up to the new profile. */
async function families(maker) {
  const data = selected(`data-${maker}`);
  let own = await startAgent(data, []);
  try {
    const document = join(folder, maker, 'document.json');
    const age = maker === 'before' ? ['older'] : [];
    await step(`${maker}: the client runs to its end`, `built/${maker}/families.js`, own.url, sound, document, ...age);
    await Promise.race([own.closed, new Promise((resolve) => setTimeout(resolve, 10_000).unref())]);
    const ended = own.ended();
    await own.stop();
    own = await startAgent(data, []);
    const active = await activeAt(own.url);
    const came = ended === 'exit code 75' && active.id === 'mine';
    say(`${came ? 'ok' : 'failed:'} ${maker}: the selected profile is in use | ${ended}, ${active.id}\n`);
  } finally {
    await own.stop();
  }
}

const sound = `${sounds}/sound.wav`;
let agent;
try {
  for (const name of ['tsconfig.json', 'package.json']) cpSync(join(here, name), join(folder, name));
  for (const [maker, names] of Object.entries({
    now: ['client.ts', 'checked.ts', 'families.ts'],
    before: ['checked.ts', 'families.ts'],
  })) {
    mkdirSync(join(folder, maker));
    for (const name of names) cpSync(join(here, name), join(folder, maker, name));
    writeFileSync(join(folder, maker, 'profile.yaml'), simulated);
  }
  symlinkSync(modules, join(folder, 'node_modules'));
  agent = await startAgent(join(folder, 'data'));
  const generator = join(modules, 'openapi-typescript/bin/cli.js');
  const now = await (await fetch(`${agent.url}/api/v1/openapi.json`)).text();
  writeFileSync(join(folder, 'now', 'document.json'), now);
  cpSync(join(here, 'before.json'), join(folder, 'before', 'document.json'));
  const makes = (maker) =>
    step(
      `${maker}: types are made of the document`,
      generator,
      `${maker}/document.json`,
      '--output',
      `${maker}/api.ts`,
    );
  if (
    (await makes('now')) &&
    (await makes('before')) &&
    (await step('the clients compile', join(modules, 'typescript/bin/tsc'), '--project', 'tsconfig.json'))
  ) {
    await step('the client runs to its end', 'built/now/client.js', agent.url, sound);
    for (const maker of ['now', 'before']) await families(maker);
  }
  const counted = (pattern) => said.split('\n').filter((line) => pattern.test(line)).length;
  const failed = counted(/^failed: /);
  console.log(`${counted(/^ok /)} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
} finally {
  await agent?.stop();
  server.close();
  rmSync(folder, { recursive: true, force: true });
}
