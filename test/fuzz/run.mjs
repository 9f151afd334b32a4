// Sends generated requests to a real agent and holds every answer against its OpenAPI document: run.mjs PROGRAM, which
// is schemathesis. SCONCE_FUZZ_REQUESTS: how many at least (500); SCONCE_FUZZ_SEED: the same number, the same requests.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serve, silence, startAgent } from '../run/agent.mjs';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const [program] = process.argv.slice(2);
const wanted = Number(process.env.SCONCE_FUZZ_REQUESTS ?? 500);
const seed = Number(process.env.SCONCE_FUZZ_SEED ?? 20_261_122);
if (program === undefined || !(wanted > 0) || !Number.isInteger(seed)) {
  console.error('run.mjs PROGRAM; SCONCE_FUZZ_REQUESTS is a number above 0, SCONCE_FUZZ_SEED an integer');
  process.exit(2);
}
/** Slower than this is not fuzzing but a hang. */
const withinMs = 120_000 + wanted * 100;

/** Generated addresses must lead nowhere: the agent gets a network of its own, with nothing but a loopback. */
const goAlone = () => {
  if (process.env.SCONCE_FUZZ_ALONE !== undefined) return;
  const own = process.getuid?.() === 0 ? ['--net'] : ['--user', '--map-root-user', '--net'];
  const inside = (...command) => [...own, 'sh', '-c', 'ip link set lo up && exec "$0" "$@"', ...command];
  const alone = spawnSync('unshare', inside('true'), { stdio: 'ignore' }).status === 0;
  if (!alone) console.log('no network of its own is possible here: what takes an address is left out');
  const again = [process.execPath, ...process.argv.slice(1)];
  const [command, args] = alone ? ['unshare', inside(...again)] : [again[0], again.slice(1)];
  const env = { ...process.env, SCONCE_FUZZ_ALONE: alone ? '1' : '0' };
  process.exit(spawnSync(command, args, { stdio: 'inherit', env }).status ?? 1);
};

/** A sound, what is none, a way to another sound, and nothing. */
const sounds = (request, response) => {
  const kind = request.url.slice(1);
  if (kind === '0') response.writeHead(200, { 'content-type': 'audio/wav' }).end(silence());
  else if (kind === '1') response.writeHead(200, { 'content-type': 'text/html' }).end('<p>no sound</p>');
  else if (kind === '2') response.writeHead(302, { location: '/0' }).end();
  else response.writeHead(404).end();
};

const schemathesis = (args, env, cwd) =>
  new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env }, cwd });
    let said = '';
    child.stdout.on('data', (chunk) => (said += chunk));
    child.once('error', (error) => resolve({ code: 127, said: error.message }));
    child.once('close', (code) => resolve({ code, said }));
  });

/** Parts of the agent that crashed. */
const crashed = (node) => [
  ...(node.kind === 'worker' && node.restarts > 0 ? [`${node.id} (${node.restarts} times)`] : []),
  ...node.children.flatMap(crashed),
];

const fuzz = async (folder, agent, soundsUrl) => {
  const record = join(folder, 'record.jsonl');
  writeFileSync(record, '');
  const known = await (await fetch(`${agent.url}/api/v1/openapi.json`)).json();
  const operations = Object.values(known.paths).flatMap((item) => Object.values(item));
  // An operation without any input is the same request every time.
  const variable = operations.filter(({ parameters = [], requestBody }) => requestBody || parameters.length > 0).length;
  const failed = new Map();
  const fail = (operation, why, detail = '') => {
    const key = `${operation} | ${why.split('\n')[0]}`;
    if (!failed.has(key)) failed.set(key, { operation, detail, times: 0 });
    failed.get(key).times += 1;
  };
  const lines = () =>
    readFileSync(record, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  const sent = () => lines().filter((line) => line.sent !== undefined);
  const began = Date.now();
  for (let round = 0; sent().length < wanted; round += 1) {
    const leftMs = withinMs - (Date.now() - began);
    if (leftMs < 1000) {
      fail('fuzz', `only ${sent().length} of ${wanted} requests within ${Math.round(withinMs / 1000)} s`);
      break;
    }
    const before = sent().length;
    const examples = Math.max(1, Math.ceil((wanted - before) / (round === 0 ? 2 : 1) / variable));
    const { code, said } = await schemathesis(
      [
        ...['--config-file', here('schemathesis.toml'), 'run', `${agent.url}/api/v1/openapi.json`, '--no-color'],
        ...['--phases', round === 0 ? 'examples,coverage,fuzzing' : 'fuzzing'],
        ...['--max-examples', String(examples), '--seed', String(seed + round)],
        ...['--report-json-path', join(folder, 'report.json')],
        ...(process.env.SCONCE_FUZZ_ALONE === '1' ? [] : ['--exclude-path-regex', '/play$|/config$|/oauth/start$']),
      ],
      {
        SCHEMATHESIS_HOOKS: here('hooks.py'),
        PYTHONDONTWRITEBYTECODE: '1',
        SCONCE_FUZZ_RECORD: record,
        SCONCE_FUZZ_SEED: String(seed + round),
        SCONCE_FUZZ_COVER: String(wanted / 4 / operations.length),
        SCONCE_FUZZ_AGENT: agent.url,
        SCONCE_FUZZ_SOUNDS: soundsUrl,
        SCONCE_FUZZ_PROFILES: here('../../dist/bundled'),
      },
      folder,
    );
    if (code !== 0 && code !== 1) {
      console.log(said);
      fail('fuzz', `schemathesis ended with exit code ${code}`);
      break;
    }
    for (const { title, count } of JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')).errors) {
      console.log(said);
      fail('fuzz', `${title} (${count})`);
    }
    if (agent.ended() !== null) {
      fail('the agent', `ended: ${agent.ended()}`, agent.said());
      break;
    }
    if (sent().length === before) {
      console.log(said);
      fail('fuzz', 'sent nothing');
      break;
    }
  }
  for (const { refused, why, answer = '', curl } of lines().filter((line) => line.refused !== undefined))
    fail(refused, why, `${curl}\n${answer}`);
  if (process.env.DBG) writeFileSync('/tmp/fz/record.jsonl', readFileSync(record));
  return { failed, sent: sent(), tookMs: Date.now() - began };
};

goAlone();
const folder = mkdtempSync(join(tmpdir(), 'sconce-fuzz-'));
mkdirSync(join(folder, 'data'));
const { server, url } = await serve(sounds);
let agent;
try {
  agent = await startAgent(join(folder, 'data'));
  const { failed, sent, tookMs } = await fuzz(folder, agent, url);
  if (agent.ended() === null)
    for (const part of crashed((await (await fetch(`${agent.url}/api/v1/status`)).json()).supervision))
      failed.set(`the agent | its part ${part} crashed`, { operation: 'the agent', detail: agent.said(), times: 1 });
  const statuses = new Map();
  for (const { status } of sent) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const answers = [...statuses].toSorted(([a], [b]) => a - b).map(([status, times]) => `${times} x ${status}`);
  for (const [what, { times, detail }] of failed)
    console.log(`failed: ${what}${times > 1 ? ` (${times} times)` : ''}\n${detail.replaceAll(/^/gm, '    ')}`);
  const broken = new Set([...failed.values()].map(({ operation }) => operation));
  const fine = new Set(sent.map((line) => line.sent).filter((operation) => !broken.has(operation)));
  console.log(`${sent.length} requests in ${Math.round(tookMs / 1000)} s, seed ${seed}: ${answers.join(', ')}`);
  console.log(`${fine.size} passed, ${failed.size} failed`);
  process.exitCode = failed.size > 0 ? 1 : 0;
} finally {
  await agent?.stop();
  server.close();
  rmSync(folder, { recursive: true, force: true });
}
