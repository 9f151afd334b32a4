/*
 * Records examples of the OpenAPI document from a simulated panel, the one that was built, into routes/examples.json.
 * What a simulated panel alone has no answer for (dashboards, saved profiles) stays there as it is.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Aedes } from 'aedes';
import { masked, shortened } from './mask.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const file = join(root, 'routes/examples.json');

/** The operations of which the answer is recorded; of a POST it is that to the example of its body. */
const operations = [
  'changeConfig',
  'getStatus',
  'getDiagnostics',
  'getInfo',
  'getSensors',
  'getRadio',
  'getSimulator',
  'getProfiles',
  'getDrivers',
  'getProximity',
];

const listen = (server) =>
  new Promise((resolve) => void server.listen(0, '127.0.0.1', () => resolve(server.address().port)));

const freePort = async () => {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => void server.close(resolve));
  return port;
};

/** Asks until an answer is as it should be. */
const until = async (what, check) => {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline;) {
    // oxlint-disable-next-line no-await-in-loop -- one look after another
    const found = await check().catch(() => null);
    if (found) return found;
    // oxlint-disable-next-line no-await-in-loop -- a pause between two looks
    await new Promise((resolve) => void setTimeout(resolve, 200));
  }
  throw new Error(`waited in vain: ${what}`);
};

const folder = mkdtempSync(join(tmpdir(), 'sconce-examples-'));
const aedes = await Aedes.createBroker();
const broker = createServer(aedes.handle);
const url = `http://127.0.0.1:${await freePort()}`;
const agent = spawn(
  process.execPath,
  [
    join(root, 'dist/sconce.cjs'),
    'run',
    '--no-discovery',
    '--profile=simulated',
    `--data=${folder}`,
    `--port=${new URL(url).port}`,
    '--panel-id=hall_panel',
    `--mqtt-broker=mqtt://127.0.0.1:${await listen(broker)}`,
  ],
  { stdio: ['ignore', 'ignore', 'inherit'] },
);

const read = async (path, init) => {
  const response = await fetch(url + path, init);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  const type = response.headers.get('content-type').replace(/;.*$/, '');
  return {
    status: response.status,
    type,
    value: type === 'application/json' ? await response.json() : await response.text(),
  };
};

try {
  const { value: document } = await until('the panel', () => read('/api/v1/openapi.json'));
  await until('the broker', async () => (await read('/api/v1/status')).value.platform?.phase === 'live');
  await until('each look', async () =>
    (await read('/api/v1/status')).value.capabilities.every(
      ({ state, missing }) => state !== 'checking' || missing !== null,
    ),
  );
  const examples = JSON.parse(readFileSync(file, 'utf8'));
  for (const id of operations) {
    const [path, method, operation] = Object.entries(document.paths)
      .flatMap(([where, methods]) => Object.entries(methods).map(([how, one]) => [where, how, one]))
      .find(([, , one]) => one.operationId === id);
    const body = operation.requestBody?.content['application/json']?.example;
    const sent = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    // oxlint-disable-next-line no-await-in-loop -- what was changed is read after it
    const { status, type, value } = await read(path, { method: method.toUpperCase(), ...sent });
    examples[`${id} ${status} ${type}`] = shortened(masked(value));
  }
  writeFileSync(file, `${JSON.stringify(examples, null, 2)}\n`);
} finally {
  agent.kill();
  await new Promise((resolve) => void agent.once('exit', resolve));
  await new Promise((resolve) => {
    aedes.close(() => broker.close(resolve));
  });
  rmSync(folder, { recursive: true, force: true });
}
