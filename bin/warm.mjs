// Runs the build, so that V8's compiled code can be kept: a simulated panel that is opened and stopped, and the doctor,
// for the code that only it needs.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** How long each of them may take, in milliseconds; a start takes less than a second. */
const mostMs = 60_000;

const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Starts the bundle, which must end with that status; its compiled code is in `code` then. */
function start(bundle, code, args, wanted = 0) {
  mkdirSync(code, { recursive: true });
  const child = spawn(process.execPath, [bundle, ...args, '--profile', 'simulated'], {
    env: { ...process.env, SCONCE_KEEP_CODE: code, NOTIFY_SOCKET: '' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (piece) => (errors = `${errors}${piece}`.slice(-2000)));
  const timer = setTimeout(() => child.kill('SIGKILL'), mostMs);
  const ended = new Promise((resolve) => child.once('close', resolve)).then((status) => {
    clearTimeout(timer);
    if (status !== wanted || (wanted !== 0 && errors !== ''))
      throw new Error(`the bundle does not run (${status}): ${errors}`);
  });
  return { child, ended };
}

async function answers(url) {
  try {
    const response = await fetch(url);
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/** Runs both in `scratch` and returns the folders that hold their code, in order of precedence. */
export async function warm(bundle, scratch) {
  const [run, doctor] = ['run', 'doctor'].map((name) => join(scratch, `code-${name}`));
  const port = String(await freePort());
  // Not announced. Nothing answers at the addresses of the broker and of Home Assistant, so the chunks of the links are
  // compiled too.
  const options = [
    '--port',
    port,
    '--no-discovery',
    '--mqtt-broker',
    'mqtt://127.0.0.1:9',
    '--ha-url',
    'http://127.0.0.1:9',
  ];
  const agent = start(bundle, run, ['run', '--data', join(scratch, 'data'), ...options]);
  // Not the OpenAPI document: the code of what describes the routes would be loaded with each page.
  for (const path of ['/health', '/', '/api/v1/status', '/configure/mqtt'])
    while (agent.child.exitCode === null && !(await answers(`http://127.0.0.1:${port}${path}`))) await pause(20);
  agent.child.kill('SIGTERM');
  await agent.ended;
  // 1: no agent runs there.
  await start(bundle, doctor, ['doctor', '--data', join(scratch, 'none'), '--port', '9'], 1).ended;
  return [run, doctor];
}
