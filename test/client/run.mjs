// Makes a client of the OpenAPI document of a real agent, compiles and runs it: run.mjs CACHE, the folder for what is
// installed. Exit code 77 means that npm could not install it; the last line says so.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
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
const installed = () => {
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
    // Somebody else was faster.
    if (existsSync(folder)) return folder;
    console.log(`npm could not install the generator of clients (${error.code ?? `exit code ${error.status}`})`);
    process.exit(77);
  }
  return folder;
};

const modules = join(installed(), 'node_modules');
const folder = mkdtempSync(join(tmpdir(), 'sconce-client-'));
const { server, url: sounds } = await serve((_, response) =>
  response.writeHead(200, { 'content-type': 'audio/wav' }).end(silence()),
);

let said = '';
const say = (text) => {
  process.stdout.write(text);
  said += text;
};
/** Runs a program of Node and says whether it did its work. */
const step = async (name, ...args) => {
  const code = await new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.on('data', say);
    child.once('close', resolve);
  });
  say(code === 0 ? `ok ${name}\n` : `failed: ${name} | exit code ${code}\n`);
  return code === 0;
};

let agent;
try {
  for (const name of ['client.ts', 'tsconfig.json', 'package.json']) cpSync(join(here, name), join(folder, name));
  symlinkSync(modules, join(folder, 'node_modules'));
  agent = await startAgent(join(folder, 'data'));
  const generator = join(modules, 'openapi-typescript/bin/cli.js');
  const document = `${agent.url}/api/v1/openapi.json`;
  if (
    (await step('types are made of the document', generator, document, '--output', 'api.ts')) &&
    (await step('the client compiles', join(modules, 'typescript/bin/tsc'), '--project', 'tsconfig.json'))
  )
    await step('the client runs to its end', 'built/client.js', agent.url, `${sounds}/sound.wav`);
  const counted = (pattern) => said.split('\n').filter((line) => pattern.test(line)).length;
  const failed = counted(/^failed: /);
  console.log(`${counted(/^ok /)} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
} finally {
  await agent?.stop();
  server.close();
  rmSync(folder, { recursive: true, force: true });
}
