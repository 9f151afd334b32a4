// Sends generated requests to a real agent and holds every answer against its OpenAPI document: run.mjs PROGRAM, which
// is schemathesis. SCONCE_FUZZ_REQUESTS: how many at least (500; 5000 in bin/test all); SCONCE_FUZZ_SEED: the same
// number, the same requests.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serve, silence, startAgent } from '../run/agent.mjs';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const [program] = process.argv.slice(2);
const wanted = Number(process.env.SCONCE_FUZZ_REQUESTS ?? (process.env.SCONCE_TEST_ALL === '1' ? 5000 : 500));
const seed = Number(process.env.SCONCE_FUZZ_SEED ?? 20_261_122);
if (program === undefined || !(wanted > 0) || !Number.isInteger(seed)) {
  console.error('run.mjs PROGRAM; SCONCE_FUZZ_REQUESTS is a number above 0, SCONCE_FUZZ_SEED an integer');
  process.exit(2);
}
/** A busy machine needs a minute for 500; slower than this is a hang. */
const withinMs = 120_000 + wanted * 100;

/** Generated addresses must lead nowhere: the agent gets a network of its own, with nothing but a loopback. */
function goAlone() {
  if (process.env.SCONCE_FUZZ_ALONE !== undefined) return;
  const own = process.getuid?.() === 0 ? ['--net'] : ['--user', '--map-root-user', '--net'];
  const inside = (...command) => [...own, 'sh', '-c', 'ip link set lo up && exec "$0" "$@"', ...command];
  const alone = spawnSync('unshare', inside('true'), { stdio: 'ignore' }).status === 0;
  if (!alone) console.log('no network of its own is possible here: what takes an address is left out');
  const again = [process.execPath, ...process.argv.slice(1)];
  const [command, args] = alone ? ['unshare', inside(...again)] : [again[0], again.slice(1)];
  const env = { ...process.env, SCONCE_FUZZ_ALONE: alone ? '1' : '0' };
  process.exit(spawnSync(command, args, { stdio: 'inherit', env }).status ?? 1);
}

/** A sound, what is none, a way to the sound, and nothing. */
function sounds(request, response) {
  const kind = request.url.slice(1);
  if (kind === '0') response.writeHead(200, { 'content-type': 'audio/wav' }).end(silence());
  else if (kind === '1') response.writeHead(200, { 'content-type': 'text/html' }).end('<p>no sound</p>');
  else if (kind === '2') response.writeHead(302, { location: '/0' }).end();
  else response.writeHead(404).end();
}

const schemathesis = (args, { boundMs, ...options }) =>
  new Promise((resolve) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
    const cut = setTimeout(() => child.kill('SIGKILL'), boundMs);
    let said = '';
    child.stdout.on('data', (chunk) => (said += chunk));
    const done = (code, words = said) => {
      clearTimeout(cut);
      resolve({ code, said: words });
    };
    child.once('error', (error) => done(127, error.message));
    child.once('close', (code) => done(code));
  });

/** Parts of the agent that crashed. */
const crashed = (node) => [
  ...(node.kind === 'worker' && node.restarts > 0 ? [node.id] : []),
  ...node.children.flatMap(crashed),
];

/** Runs rounds of generated requests until there were enough; answers what was sent and what was wrong. */
async function fuzz(folder, agent, soundsUrl) {
  const record = join(folder, 'record.jsonl');
  writeFileSync(record, '');
  const read = (kind) =>
    readFileSync(record, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
      .filter((line) => line[kind] !== undefined);
  const document = await (await fetch(`${agent.url}/api/v1/openapi.json`)).json();
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  // An operation without any input is the same request every time.
  const variable = operations.filter(({ parameters = [], requestBody }) => requestBody || parameters.length > 0).length;
  const env = {
    ...process.env,
    SCHEMATHESIS_HOOKS: here('hooks.py'),
    PYTHONDONTWRITEBYTECODE: '1',
    SCONCE_FUZZ_RECORD: record,
    SCONCE_FUZZ_COVER: String(wanted / 4 / operations.length),
    SCONCE_FUZZ_AGENT: agent.url,
    SCONCE_FUZZ_SOUNDS: soundsUrl,
    SCONCE_FUZZ_PROFILES: here('../../dist/bundled'),
  };
  const wrong = [];
  const stop = (why, detail) => wrong.push({ operation: 'the run', why, detail });
  const began = Date.now();
  for (let round = 0, before = 0; before < wanted && wrong.length === 0; round += 1) {
    const boundMs = withinMs - (Date.now() - began);
    const phases = round === 0 ? 'examples,coverage,fuzzing' : 'fuzzing';
    // The first round spends the other half on examples and boundaries.
    const examples = Math.max(1, Math.ceil((wanted - before) / (round === 0 ? 2 : 1) / variable));
    const report = join(folder, `report-${round}.json`);
    const others = process.env.SCONCE_FUZZ_ALONE === '1' ? [] : ['/play$', '/config$', '/oauth/start$'];
    const { code, said } = await schemathesis(
      [
        '--config-file',
        here('schemathesis.toml'),
        'run',
        `${agent.url}/api/v1/openapi.json`,
        `--phases=${phases}`,
        `--max-examples=${examples}`,
        `--seed=${seed + round}`,
        `--report-json-path=${report}`,
        '--no-color',
        // A reset ends the agent, as it says.
        `--exclude-path-regex=${['/setup/reset$', ...others].join('|')}`,
      ],
      { boundMs, cwd: folder, env: { ...env, SCONCE_FUZZ_SEED: String(seed + round) } },
    );
    const now = read('sent').length;
    if (agent.ended() !== null) stop(`the agent ended: ${agent.ended()}`, agent.said());
    else if (code === null)
      stop(`not done within ${Math.round(withinMs / 1000)} s, ${now} of ${wanted} requests`, said);
    else if (code !== 0 && code !== 1) stop(`schemathesis ended with exit code ${code}`, said);
    else if (now === before) stop('nothing was sent', said);
    else {
      const { errors } = JSON.parse(readFileSync(report, 'utf8'));
      for (const { title } of errors) stop(title, said);
      // 1 also means that a check failed; which, is in the record.
      if (code === 1 && errors.length === 0 && read('refused').length === 0) stop('a check failed', said);
    }
    before = now;
  }
  for (const { refused, why, detail } of read('refused')) wrong.push({ operation: refused, why, detail });
  if (agent.ended() === null)
    for (const part of crashed((await (await fetch(`${agent.url}/api/v1/status`)).json()).supervision))
      wrong.push({ operation: 'the agent', why: `its part ${part} crashed`, detail: agent.said() });
  return { wrong, sent: read('sent'), tookMs: Date.now() - began };
}

function summary({ wrong, sent, tookMs }) {
  const kinds = new Map();
  for (const { operation, why, detail } of wrong) {
    const what = `${operation} | ${why}`;
    // Told with the first of its kind.
    kinds.set(what, { detail, times: 0, ...kinds.get(what) });
    kinds.get(what).times += 1;
  }
  for (const [what, { detail, times }] of kinds)
    console.log(`failed: ${what}, ${times} x\n${detail.trim().replaceAll(/^/gm, '    ')}`);
  const statuses = new Map();
  for (const { status } of sent) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const answers = [...statuses].toSorted(([a], [b]) => a - b).map(([status, times]) => `${times} x ${status}`);
  console.log(`${sent.length} requests in ${Math.round(tookMs / 1000)} s, seed ${seed}: ${answers.join(', ')}`);
  const broken = new Set(wrong.map(({ operation }) => operation));
  const fine = new Set(sent.map((line) => line.sent).filter((operation) => !broken.has(operation)));
  console.log(`${fine.size} passed, ${kinds.size} failed`);
  process.exitCode = kinds.size > 0 ? 1 : 0;
}

goAlone();
const folder = mkdtempSync(join(tmpdir(), 'sconce-fuzz-'));
const { server, url } = await serve(sounds);
let agent;
try {
  agent = await startAgent(join(folder, 'data'));
  summary(await fuzz(folder, agent, url));
} finally {
  await agent?.stop();
  server.close();
  rmSync(folder, { recursive: true, force: true });
}
