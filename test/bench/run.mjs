// Prints what the agent costs as ratios to a bare limit measured in the same run: npm run bench
// Both sides take turns, so that a busy machine slows both; exit code 0 whenever everything could be measured.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connectAsync } from 'mqtt';
import {
  end,
  endAll,
  firstAnswer,
  freePort,
  median,
  processorSeconds,
  quantile,
  requestsPerSecond,
  residentMb,
  start,
} from './measure.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const bundle = join(here, '../../dist/sconce.cjs');
const folder = mkdtempSync(join(tmpdir(), 'sconce-bench-'));
const node = process.execPath;
const panelId = 'bench';
const idleMs = Number(process.env.SCONCE_BENCH_IDLE_MS ?? 30_000);

const bare = (name, ...args) => start(node, [join(here, 'bare', name), ...args.map(String)]);
const agent = (port, data) =>
  start(node, [
    bundle,
    'run',
    '--data',
    join(folder, data),
    '--port',
    String(port),
    '--profile',
    'simulated',
    '--no-discovery',
  ]);

/** Measures start-up: ten alternating pairs, on a data folder that is not new after the first. */
const startUp = async () => {
  const ours = [];
  const limit = [];
  for (let turn = 0; turn < 11; turn += 1) {
    for (const [times, launch] of [
      [limit, (port) => bare('http.mjs', port)],
      [ours, (port) => agent(port, 'start')],
    ]) {
      const port = await freePort();
      const { program, ms } = await firstAnswer(() => launch(port), port);
      // The first turn warms the file cache and mints the panel's identity.
      if (turn > 0) times.push(ms);
      await end(program);
    }
  }
  return [median(ours), median(limit)];
};

/** Measures memory and processor time of both, idle side by side for the same 30 s. */
const idle = async () => {
  const [ourPort, barePort] = [await freePort(), await freePort()];
  const { program: ours } = await firstAnswer(() => agent(ourPort, 'idle'), ourPort);
  const { program: limit } = await firstAnswer(() => bare('http.mjs', barePort), barePort);
  await pause(Math.min(5_000, idleMs));
  const before = processorSeconds(ours);
  await pause(idleMs);
  const result = {
    memory: [residentMb(ours), residentMb(limit)],
    percent: ((processorSeconds(ours) - before) / (idleMs / 1000)) * 100,
  };
  await Promise.all([end(ours), end(limit)]);
  return result;
};

const throughput = async () => {
  const [ourPort, barePort] = [await freePort(), await freePort()];
  const { program: ours } = await firstAnswer(() => agent(ourPort, 'load'), ourPort);
  const { program: limit } = await firstAnswer(() => bare('hono.mjs', barePort), barePort);
  const rates = { ours: [], limit: [] };
  for (let turn = 0; turn < 6; turn += 1) {
    const us = await requestsPerSecond(ourPort);
    const them = await requestsPerSecond(barePort);
    if (turn === 0) continue;
    rates.ours.push(us);
    rates.limit.push(them);
  }
  await Promise.all([end(ours), end(limit)]);
  return [median(rates.ours), median(rates.limit)];
};

const startBroker = async () => {
  // Without set_tcp_nodelay, the kernel's 40 ms wait for an acknowledgement would hide both sides.
  const port = await freePort();
  const lines = [
    `listener ${port} 127.0.0.1`,
    'allow_anonymous true',
    'persistence false',
    'set_tcp_nodelay true',
    ...(userInfo().uid === 0 ? ['user root'] : []),
  ];
  const file = join(folder, 'mosquitto.conf');
  writeFileSync(file, `${lines.join('\n')}\n`);
  start('mosquitto', ['-c', file], { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` });
  return `mqtt://127.0.0.1:${port}`;
};

const within = async (what, ms, look) => {
  const deadline = performance.now() + ms;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (performance.now() > deadline) throw new Error(`not within ${ms} ms: ${what}`);
    await pause(50);
  }
};

/** Milliseconds from each of `count` commands to the state that answers it, one after the other. */
const echoes = async (client, heard, { set, state, count }) => {
  const times = [];
  for (let index = 0; index < count; index += 1) {
    // Never twice the same level in a row: an unchanged state may rightly stay unsaid.
    const brightness = 20 + (index % 200);
    const answer = new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer on ${state}`)), 5_000);
      heard.set(state, (payload) => {
        if (JSON.parse(payload).brightness !== brightness) return;
        clearTimeout(timer);
        resolve(performance.now());
      });
    });
    const began = performance.now();
    client.publish(set, JSON.stringify({ state: 'ON', brightness }), { qos: 1 });
    times.push((await answer) - began);
  }
  return times;
};

const commands = async () => {
  const url = await startBroker();
  const client = await within('the broker answers', 5_000, () =>
    connectAsync(url, { connectTimeout: 500 }, false).catch(() => undefined),
  );
  client.stream.setNoDelay?.(true);
  const heard = new Map();
  const retained = new Map();
  client.on('message', (topic, payload) => {
    retained.set(topic, payload.toString());
    heard.get(topic)?.(payload.toString());
  });
  await client.subscribeAsync('#', { qos: 1 });

  const port = await freePort();
  const { program: ours } = await firstAnswer(() => agent(port, 'mqtt'), port);
  const saved = await fetch(`http://127.0.0.1:${port}/api/v1/config`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ panel_id: panelId, mqtt_broker: url }),
  });
  if (!saved.ok) throw new Error(`the broker's address was refused: ${saved.status}`);
  const limit = bare('echo.mjs', url);
  await within('the bare echo is there', 10_000, () => retained.has('bare/ready'));
  const discovery = await within('the panel has announced itself', 15_000, () =>
    retained.get(`homeassistant/device/sconce_${panelId}/config`),
  );
  const { command_topic: set, state_topic: state } = JSON.parse(discovery).components.screen;
  await within('the panel has said how it is', 10_000, () => retained.has(state));
  await within(
    'the panel is live',
    20_000,
    async () => (await (await fetch(`http://127.0.0.1:${port}/api/v1/status`)).json()).platform?.phase === 'live',
  );

  const times = { ours: [], limit: [] };
  for (let turn = 0; turn < 6; turn += 1) {
    const us = await echoes(client, heard, { set, state, count: 200 });
    const them = await echoes(client, heard, { set: 'bare/light/set', state: 'bare/light/state', count: 200 });
    if (turn === 0) continue;
    times.ours.push(...us);
    times.limit.push(...them);
  }
  await client.endAsync(true);
  await Promise.all([end(ours), end(limit)]);
  return times;
};

const number = (value, digits) => value.toFixed(digits);
const rows = [];
const atMost = (name, [ours, limit], unit, digits, goal) =>
  rows.push([
    name,
    `${number(ours, digits)} ${unit}`,
    `${number(limit, digits)} ${unit}`,
    number(ours / limit, 2),
    `<= ${goal}`,
    ours / limit <= goal,
  ]);
const atLeast = (name, [ours, limit], unit, digits, goal) =>
  rows.push([
    name,
    `${number(ours, digits)} ${unit}`,
    `${number(limit, digits)} ${unit}`,
    number(ours / limit, 2),
    `>= ${goal}`,
    ours / limit >= goal,
  ]);

const print = () => {
  const table = [
    ['', 'Sconce', 'bare limit', 'ratio', 'goal', ''],
    ...rows.map((row) => [...row.slice(0, 5), row[5] ? 'met' : 'missed']),
  ];
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  table.forEach((row, index) => {
    console.log(`| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`);
    if (index === 0) console.log(`|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  });
};

try {
  if (!existsSync(bundle)) throw new Error('dist/sconce.cjs is missing: node bin/build.mjs');
  console.error('start-up ...');
  atMost('start to first 200 on /health (bare: node:http)', await startUp(), 'ms', 0, 2.5);
  console.error(`idle for ${idleMs / 1000} s ...`);
  const { memory, percent } = await idle();
  atMost('idle memory, RSS (bare: node:http)', memory, 'MB', 0, 1.8);
  rows.push([
    `idle processor time over ${idleMs / 1000} s`,
    `${number(percent, 2)} % of a core`,
    '-',
    '-',
    '<= 0.5 %',
    percent <= 0.5,
  ]);
  console.error('requests ...');
  atLeast('/health requests per second (bare: hono)', await throughput(), '/s', 0, 0.6);
  console.error('commands ...');
  const times = await commands();
  const p = (q) => [quantile(times.ours, q), quantile(times.limit, q)];
  atMost('MQTT command to state, p50 (bare: mqtt.js echo)', p(0.5), 'ms', 2, 1.5);
  atMost('MQTT command to state, p99 (bare: mqtt.js echo)', p(0.99), 'ms', 2, 2);
  print();
} catch (error) {
  if (rows.length > 0) print();
  console.error(`cannot measure: ${error.message}`);
  process.exitCode = 1;
} finally {
  await endAll();
  rmSync(folder, { recursive: true, force: true });
}
