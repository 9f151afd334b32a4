// A built agent on a simulated panel, for the steps that talk to one over HTTP.
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';

const bundle = fileURLToPath(new URL('../../dist/sconce.cjs', import.meta.url));
const READY_MS = 30_000;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Serves `handler` on a free port of the loopback; answers the server and its address. */
export const serve = (handler) =>
  new Promise((resolve, reject) => {
    const server = createServer(handler);
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve({ server, url: `http://127.0.0.1:${server.address().port}` }));
  });

/** A port of the loopback that was free just now. */
async function freePort() {
  const { server, url } = await serve();
  await new Promise((resolve) => server.close(resolve));
  return new URL(url).port;
}

/** A second of silence as a WAV file. */
export function silence() {
  const samples = Buffer.alloc(8000, 128);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(8000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}

/**
 * Starts the built agent with this data folder and waits until it serves its settings; without `profile` with what the
 * folder has selected. `ended` says how it ended, null while it runs; `closed` waits for that; `said` gives what it
 * printed.
 */
export async function startAgent(data, profile = ['--profile', 'simulated']) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(
    process.execPath,
    [bundle, 'run', '--data', data, '--port', port, ...profile, '--no-discovery'],
    // It parses each answer by its own schema, and fails where one does not fit.
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, SCONCE_VERIFY_ANSWERS: '1' } },
  );
  let said = '';
  let how = null;
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (said = (said + chunk).slice(-20_000)));
  const closed = new Promise((resolve) => {
    child.once('close', (code, signal) => resolve((how = signal ?? `exit code ${code}`)));
  });
  const stop = async () => {
    child.kill('SIGTERM');
    const cut = setTimeout(() => child.kill('SIGKILL'), 10_000);
    await closed;
    clearTimeout(cut);
  };
  for (const deadline = Date.now() + READY_MS; ; await pause(50)) {
    if (how !== null) throw new Error(`the agent ended (${how}) before it answered; it said last:\n${said}`);
    const ready = await fetch(`${url}/api/v1/config`).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) return { url, stop, closed, ended: () => how, said: () => said };
    if (Date.now() > deadline) {
      await stop();
      throw new Error(`the agent did not answer within ${READY_MS / 1000} s; it said last:\n${said}`);
    }
  }
}
