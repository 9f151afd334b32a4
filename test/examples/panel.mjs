// A built agent on a simulated panel whose answers are recorded.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

const bundle = fileURLToPath(new URL('../../dist/sconce.cjs', import.meta.url));

async function freePort() {
  const server = createServer();
  const port = await new Promise((resolve) => void server.listen(0, '127.0.0.1', () => resolve(server.address().port)));
  await new Promise((resolve) => void server.close(resolve));
  return port;
}

/** Asks until an answer is as it should be. */
export async function until(what, check) {
  let last = null;
  for (const deadline = Date.now() + 30_000; Date.now() < deadline;) {
    // oxlint-disable-next-line no-await-in-loop -- one look after another
    const found = await check().catch((error) => {
      last = error;
      return null;
    });
    if (found) return found;
    // oxlint-disable-next-line no-await-in-loop -- a pause between two looks
    await new Promise((resolve) => void setTimeout(resolve, 200));
  }
  throw new Error(`waited in vain: ${what}`, { cause: last });
}

/** Starts the agent on a data folder, and waits until every part has looked once. */
export async function startPanel(folder, { args = [], env = {} } = {}) {
  const url = `http://127.0.0.1:${await freePort()}`;
  const agent = spawn(
    process.execPath,
    [bundle, 'run', '--no-discovery', `--data=${folder}`, `--port=${new URL(url).port}`, ...args],
    // It fails where an answer does not fit its schema.
    { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, SCONCE_VERIFY_ANSWERS: '1', ...env } },
  );
  const ended = new Promise((resolve) => void agent.once('exit', resolve));
  const ask = async (path, init) => {
    const response = await fetch(url + path, init);
    const type = response.headers.get('content-type').replace(/;.*$/, '');
    return {
      status: response.status,
      type,
      value: type === 'application/json' ? await response.json() : await response.text(),
    };
  };
  const post = (path, body) =>
    ask(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
  const stop = () => {
    agent.kill();
    return ended;
  };
  const read = async (path) => {
    const { status, value } = await ask(path);
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(value)}`);
    return value;
  };
  try {
    await until('each look', async () =>
      (await read('/api/v1/status')).capabilities.every(
        ({ state, missing }) => state !== 'checking' || missing !== null,
      ),
    );
    await until('the catalogue', () => read('/api/v1/profiles'));
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, ask, post, read, stop, ended };
}
