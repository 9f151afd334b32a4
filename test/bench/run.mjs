// Prints what the agent costs as ratios to a bare limit measured in the same run: npm run bench
// Both sides take turns, so that a busy machine slows both; exit code 0 whenever everything could be measured.
// Names of parts (start, idle, requests, commands, light, sleep, camera-relay, voice, dashboard, companion) measure
// these alone.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { connectAsync } from 'mqtt';
import {
  end,
  endAll,
  familyMb,
  freePort,
  median,
  processorSeconds,
  quantile,
  requestsPerSecond,
  residentMb,
  saveSettings,
  start,
  startTimes,
} from './measure.mjs';
import { relayMissing, reportRelay } from './relay.mjs';
import { measureSleep } from './sleep.mjs';
import { reportVoice, voiceMissing } from './voice.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const bundle = process.env.SCONCE_BENCH_BUNDLE ?? join(here, '../../dist/sconce.cjs');
const folder = mkdtempSync(join(tmpdir(), 'sconce-bench-'));
const node = process.execPath;
const panelId = 'bench';
/** How long is warmed up, and how long is measured then. */
const idleMs = Number(process.env.SCONCE_BENCH_IDLE_MS ?? 60_000);
const viewers = 10;

const bare = (name, ...args) => start(node, [join(here, 'bare', name), ...args.map(String)]);
const agent = (port, data, more = []) =>
  start(node, [bundle, 'run', '--data', join(folder, data), '--port', String(port), '--profile', 'simulated', ...more]);

/** Measures start-up: ten alternating pairs, on a data folder that is not new after the first. */
async function startUp() {
  const ours = [];
  const limit = [];
  for (let turn = 0; turn < 11; turn += 1) {
    for (const [times, launch] of [
      [limit, (port) => bare('http.mjs', port)],
      [ours, (port) => agent(port, 'start')],
    ]) {
      const port = await freePort();
      const { program, first, ready } = await startTimes(() => launch(port), port);
      // The first turn warms the file cache and generates the panel's identity.
      if (turn > 0) times.push({ first, ready });
      await end(program);
    }
  }
  const pair = (which) => [ours, limit].map((times) => median(times.map((time) => time[which])));
  return { first: pair('first'), ready: pair('ready') };
}

/** Measures memory and processor time of all, idle side by side after the same warm-up; one agent has viewers. */
async function idle() {
  const launch = async (of) => {
    const port = await freePort();
    const { program } = await startTimes(() => of(port), port);
    return { port, program };
  };
  const { program: ours } = await launch((port) => agent(port, 'idle'));
  const { program: watched, port } = await launch((free) => agent(free, 'watched'));
  const { program: limit } = await launch((free) => bare('http.mjs', free));
  const eyes = start(node, [join(here, 'viewers.mjs'), String(port), String(viewers)]);
  await pause(idleMs);
  if (eyes.child.exitCode !== null) throw new Error(`the viewers ended: ${eyes.errors()}`);
  const all = [ours, watched, limit];
  const before = all.map(processorSeconds);
  await pause(idleMs);
  const percent = all.map((program, index) => ((processorSeconds(program) - before[index]) / (idleMs / 1000)) * 100);
  const result = { memory: [residentMb(ours), residentMb(limit)], whole: familyMb(ours), percent };
  await end(eyes);
  await Promise.all(all.map(end));
  return result;
}

/** Milliseconds that the fit of a full week, and its chart, hold the loop at most: median of five processes. */
async function holds() {
  const outfile = join(folder, 'light.cjs');
  const stdin = {
    contents: `export { fitMinutes } from './fit.ts'; export { chartOf } from './chart.ts';`,
    resolveDir: join(here, '../../machines/auto-brightness'),
  };
  await build({ stdin, bundle: true, platform: 'node', conditions: ['development'], outfile });
  const runs = Array.from({ length: 5 }, () => {
    const { status, stdout, stderr } = spawnSync(node, [join(here, 'light.mjs'), outfile], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`the fit was not measured: ${stderr}`);
    return JSON.parse(stdout);
  });
  return { fit: median(runs.map(({ fit }) => fit)), chart: median(runs.map(({ chart }) => chart)) };
}

/** Two agents side by side, of which the second follows the light of the room: what it costs more. */
async function following() {
  const launch = async (data) => {
    const port = await freePort();
    const { program } = await startTimes(() => agent(port, data), port);
    return { port, program };
  };
  const off = await launch('light-off');
  const on = await launch('light-on');
  await saveSettings(off.port, { auto_brightness: false });
  await saveSettings(on.port, { auto_brightness: true });
  await pause(idleMs);
  const status = await (await fetch(`http://127.0.0.1:${on.port}/api/v1/status`)).json();
  if (status.auto_brightness?.state !== 'following') throw new Error('the brightness does not follow the light');
  const all = [off.program, on.program];
  const before = all.map(processorSeconds);
  await pause(idleMs);
  const percent = all.map((program, index) => ((processorSeconds(program) - before[index]) / (idleMs / 1000)) * 100);
  const memory = all.map(residentMb);
  await Promise.all(all.map(end));
  return { percent: percent[1] - percent[0], memory: memory[1] - memory[0] };
}

async function throughput() {
  const [ourPort, barePort] = [await freePort(), await freePort()];
  const { program: ours } = await startTimes(() => agent(ourPort, 'load'), ourPort);
  const { program: limit } = await startTimes(() => bare('hono.mjs', barePort), barePort);
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
}

/** Where Debian has the broker beside what is in the path. */
const brokerPath = `${process.env.PATH}:/usr/sbin:/sbin`;
const brokerMissing = brokerPath.split(':').some((at) => existsSync(join(at, 'mosquitto')))
  ? null
  : 'the commands need the broker mosquitto: sudo apt-get install mosquitto';

async function startBroker() {
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
  start('mosquitto', ['-c', file], { env: { ...process.env, PATH: brokerPath } });
  return `mqtt://127.0.0.1:${port}`;
}

async function within(what, ms, look) {
  const deadline = performance.now() + ms;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (performance.now() > deadline) throw new Error(`not within ${ms} ms: ${what}`);
    await pause(50);
  }
}

/** Milliseconds from each of `count` commands to the state that answers it, one after the other. */
async function echoes(client, heard, { set, state, count }) {
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
}

async function commands() {
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
  const { program: ours } = await startTimes(() => agent(port, 'mqtt'), port);
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
}

const number = (value, digits) => value.toFixed(digits);
const rows = [];
const row = (name, unit, digits, [ours, limit], goal, isMet) =>
  rows.push([
    name,
    `${number(ours, digits)} ${unit}`,
    limit === null ? '-' : `${number(limit, digits)} ${unit}`,
    limit === null || limit === 0 ? '-' : number(ours / limit, 2),
    goal,
    isMet === null ? '' : isMet ? 'met' : 'missed',
  ]);
const atMost = (name, [ours, limit], unit, digits, goal) =>
  row(name, unit, digits, [ours, limit], `<= ${goal}`, ours / limit <= goal);
const atLeast = (name, [ours, limit], unit, digits, goal) =>
  row(name, unit, digits, [ours, limit], `>= ${goal}`, ours / limit >= goal);

function print() {
  const table = [['', 'Sconce', 'bare limit', 'ratio', 'goal', ''], ...rows];
  const widths = table[0].map((_, column) => Math.max(...table.map((line) => line[column].length)));
  table.forEach((line, index) => {
    console.log(`| ${line.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`);
    if (index === 0) console.log(`|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  });
}

const parts = {
  start: async () => {
    const { first, ready } = await startUp();
    atMost('start to first 200 on /health (bare: node:http)', first, 'ms', 0, 2.2);
    atMost('start to ready (bare: node:http)', ready, 'ms', 0, 3);
  },
  idle: async () => {
    const { memory, whole, percent } = await idle();
    const seconds = idleMs / 1000;
    atMost('idle memory, RSS (bare: node:http)', memory, 'MB', 0, 1.7);
    row('the same with its mDNS responder, a process of its own', 'MB', 0, [whole, null], '-', null);
    const [ours, watched, limit] = percent;
    row(
      `idle processor time over ${seconds} s, of a core (bare: node:http)`,
      '%',
      2,
      [ours, limit],
      '<= 0.5 %',
      ours <= 0.5,
    );
    const more = Math.max(0, watched - ours);
    row(
      `${viewers} EventSource clients, beyond an idle agent beside it`,
      '%',
      2,
      [more, null],
      '<= 0.2 %',
      more <= 0.2,
    );
  },
  requests: async () => atLeast('/health requests per second (bare: hono)', await throughput(), '/s', 0, 0.6),
  commands: async () => {
    const times = await commands();
    const p = (q) => [quantile(times.ours, q), quantile(times.limit, q)];
    atMost('MQTT command to state, p50 (bare: mqtt.js echo)', p(0.5), 'ms', 2, 2);
    atMost('MQTT command to state, p99 (bare: mqtt.js echo)', p(0.99), 'ms', 2, 2);
  },
};

parts.light = async () => {
  const { fit, chart } = await holds();
  row('longest hold of the loop: a fit of seven days', 'ms', 1, [fit, null], '<= 50 ms', fit <= 50);
  row('the same: a chart of seven days', 'ms', 1, [chart, null], '<= 50 ms', chart <= 50);
  const { percent, memory } = await following();
  const more = Math.max(0, percent);
  row('brightness by the light, beyond an agent without', '%', 2, [more, null], '<= 0.1 %', more <= 0.1);
  row('the same in memory, RSS', 'MB', 1, [memory, null], '<= 4 MB', memory <= 4);
};

parts.sleep = async () => {
  const token = join(folder, 'token');
  writeFileSync(token, 'a-token', { mode: 0o600 });
  const launch = async (data, home) => {
    const port = await freePort();
    const { program } = await startTimes(() => agent(port, data, ['--ha-url', home, '--ha-token-file', token]), port);
    return { port, program };
  };
  const { programs, idle: still, broken } = await measureSleep({ launch, save: saveSettings, idleMs });
  await Promise.all(programs.map(end));
  const [more, flooded] = [still, broken].map(({ percent }) => Math.max(0, percent));
  row('sleep by presence, beyond an agent without', '%', 2, [more, null], '<= 0.1 %', more <= 0.1);
  row('the same in memory, RSS', 'MB', 1, [still.memory, null], '<= 8 MB', still.memory <= 8);
  row('a broken presence sensor, 100 changes a second', '%', 2, [flooded, null], '< 1 %', flooded < 1);
  row(`least pause of its ${broken.switches} switches`, 's', 1, [broken.pauseS, null], '>= 2 s', broken.pauseS >= 2);
};

parts['camera-relay'] = () => reportRelay({ folder, rounds: 5, forMs: 5000 }, { atMost, row });

parts.voice = () => reportVoice({ bundle, folder, idleMs }, { atMost, row });

/** A dashboard of 20 entities in a house of 2,000 of which 200 a second change: sent these alone, or all. */
function dashboard() {
  const file = join(folder, 'dashboard.json');
  const suite = join(here, '../platform');
  const { status } = spawnSync(
    'npx',
    ['vitest', 'run', '--config', join(suite, 'vitest.config.ts'), join(suite, 'house.test.ts'), '-t', 'a thirtieth'],
    {
      env: { ...process.env, SCONCE_BENCH_FILE: file, SCONCE_BENCH_WINDOW_MS: '20000' },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  if (status !== 0) throw new Error('the dashboard was not measured: bin/test platform says why');
  return JSON.parse(readFileSync(file, 'utf8'));
}

parts.dashboard = () => {
  const { idle: still, whole, filtered } = dashboard();
  const beyond = (key) => [filtered[key] - still[key], whole[key] - still[key]];
  const atMostOf = (name, [ours, limit], unit, digits, most, goal) =>
    row(name, unit, digits, [ours, limit], goal, ours <= limit * most);
  atMostOf(
    'states to the page, frames a second (bare: all of the house)',
    beyond('frames'),
    '/s',
    1,
    1 / 30,
    '<= 1/30',
  );
  atMostOf('the same in kilobytes', beyond('kilobytes'), 'kB/s', 2, 1 / 30, '<= 1/30');
  atMostOf('main thread of the page, of a core (bare: all)', beyond('busy'), '', 3, 1 / 12, '<= 1/12');
  atMost('a tap on a tile, p50 (bare: nothing changes)', [filtered.tapMs, still.tapMs], 'ms', 1, 1.2);
  row('memory of the browser, PSS (bare: all)', 'MB', 0, [filtered.megabytes, whole.megabytes], '-', null);
};

/** Two panels in one real Home Assistant, by its integration and by the broker, in turns. */
parts.companion = () => {
  const file = join(folder, 'companion.json');
  const { status } = spawnSync('npx', ['vitest', 'run', '--config', join(here, 'companion/vitest.config.ts')], {
    env: { ...process.env, SCONCE_BENCH_FILE: file },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('the connection was not measured: bin/test platform says why');
  const { native, mqtt, memory } = JSON.parse(readFileSync(file, 'utf8'));
  const pair = (key, at) => [native, mqtt].map((times) => quantile(times[key], at));
  atMost('a call of Home Assistant has finished, p50 (bare: over MQTT)', pair('call', 0.5), 'ms', 2, 1.3);
  atMost('its new state at a client, p50 (bare: over MQTT)', pair('state', 0.5), 'ms', 2, 1.2);
  row('the same, p99', 'ms', 2, pair('state', 0.99), '-', null);
  atMost('start of Home Assistant to the light (bare: over MQTT)', pair('start', 0.5), 'ms', 0, 1);
  const rss = [median(memory.native), median(memory.alone)];
  atMost('memory with an idle session, RSS (bare: never paired)', rss, 'MB', 1, 1.06);
};

const asked = process.argv.slice(2);
try {
  if (!existsSync(bundle)) throw new Error('dist/sconce.cjs is missing: node bin/build.mjs');
  const unknown = asked.find((name) => !Object.hasOwn(parts, name));
  if (unknown !== undefined) throw new Error(`there is no part ${unknown}: ${Object.keys(parts).join(', ')}`);
  if (brokerMissing !== null && asked.includes('commands')) throw new Error(brokerMissing);
  for (const [name, measure] of Object.entries(parts)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    if (asked.length === 0 && ['dashboard', 'companion'].includes(name)) {
      console.error(`${name}: left out; it needs the Home Assistant of the tests: npm run bench ${name}`);
      continue;
    }
    const missing = { commands: brokerMissing, 'camera-relay': relayMissing, voice: voiceMissing }[name] ?? null;
    if (missing !== null) {
      console.error(`${name}: left out; ${missing}`);
      process.exitCode = 1;
      continue;
    }
    console.error(`${name} ...`);
    await measure();
  }
  print();
} catch (error) {
  if (rows.length > 0) print();
  console.error(`cannot measure: ${error.message}`);
  process.exitCode = 1;
} finally {
  await endAll();
  rmSync(folder, { recursive: true, force: true });
}
