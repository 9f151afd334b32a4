// Kills the whole agent at random moments of an activation (the selection, the restart, the trial, its end), and checks
// that it always comes back on the old or the new revision. Usage: node test/durability/activation.mjs [number of
// kills, 50 when absent]
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const bundle = fileURLToPath(new URL('../../dist/sconce.cjs', import.meta.url));
const simulated = readFileSync(new URL('../../profiles/bundled/simulated.yaml', import.meta.url), 'utf8');

/** A trial that takes no minute: hold, deadline and answer in milliseconds. */
const times = '100,8000,30';

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** An agent that is started again whenever it asks for it, as `bin/run` does. */
function looping(data, port, more = []) {
  const state = { child: null, stopped: false, gone: Promise.resolve(), odd: null };
  const start = () => {
    const child = spawn(
      process.execPath,
      [bundle, 'run', '--data', data, '--port', String(port), '--no-discovery', '--renderer', 'none', ...more],
      { stdio: 'ignore', env: { ...process.env, SCONCE_TRIAL_MS: times } },
    );
    state.child = child;
    state.gone = new Promise((resolve) => {
      child.once('close', (code) => {
        if (code === 75 && !state.stopped) start();
        else if (!state.stopped) state.odd = code;
        resolve();
      });
    });
  };
  start();
  return {
    state,
    kill: async () => {
      state.stopped = true;
      state.child.kill('SIGKILL');
      await state.gone;
    },
  };
}

/** The catalogue once `check` likes it; fails after ten seconds. */
async function catalogWhen(url, agent, check) {
  let seen = null;
  for (const end = Date.now() + 10_000; Date.now() < end;) {
    if (agent.state.odd !== null) throw new Error(`the agent ended by itself with ${agent.state.odd}`);
    try {
      const response = await fetch(`${url}/api/v1/profiles`);
      if (response.ok) seen = await response.json();
      if (response.ok && check(seen)) return seen;
    } catch {
      // Not listening yet, or between two lives.
    }
    await pause(10);
  }
  throw new Error(`waited in vain; the last catalogue: ${JSON.stringify(seen)?.slice(0, 2000)}`);
}

async function send(url, path, body, headers) {
  const response = await fetch(`${url}/api/v1/profiles/${path}`, { method: 'POST', body, headers });
  return { status: response.status, body: await response.json() };
}

/** Saves a simulated panel under another id; its revision. */
async function save(url, id) {
  const yaml = simulated.replace(/^id: .*$/m, `id: ${id}`);
  const headers = { 'content-type': 'application/yaml' };
  const preview = await send(url, 'preview', yaml, headers);
  const saved = await send(url, 'import', yaml, { ...headers, 'x-profile-preview-token': preview.body.preview_token });
  if (saved.status !== 200) throw new Error(`not saved: ${JSON.stringify(saved.body)}`);
  return { id, revision: saved.body.revision };
}

/** Kills `kills` activations between two revisions; `elsewhere` counts starts that came back on neither. */
export async function killActivations(kills, onLife = () => {}) {
  const data = mkdtempSync(join(tmpdir(), 'sconce-kill-activation-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const tally = { kills: 0, old: 0, fresh: 0, elsewhere: 0, taken: 0 };
  let agent;
  try {
    // Both are saved under the command line's own profile, and the first one is put in force by hand: no start may fall
    // back to hardware.
    agent = looping(data, port, ['--profile', 'simulated']);
    await catalogWhen(url, agent, () => true);
    const pair = [await save(url, 'panel-one'), await save(url, 'panel-two')];
    await agent.kill();
    const selection = { mode: 'pinned', ...pair[0] };
    writeFileSync(
      join(data, 'profiles', 'activation.json'),
      JSON.stringify({
        version: 1,
        generation: 9,
        selection,
        since: 1,
        proven: pair[0],
        screenProven: true,
        earlier: null,
        trial: null,
        setback: null,
      }),
    );
    agent = looping(data, port);
    let now = await catalogWhen(url, agent, (catalog) => catalog.activation.state !== 'trial');
    // How long one activation lasts on this machine: kills are spread over all of it.
    let lastsMs = 0;
    for (let life = 0; life <= kills; life += 1) {
      const from = now.active;
      const to = pair.find(({ id }) => id !== from.id);
      const began = Date.now();
      const selected = send(
        url,
        'select',
        JSON.stringify({ ref: to, expected_catalog_revision: now.catalog_revision, confirm: true }),
        { 'content-type': 'application/json' },
      ).catch(() => null);
      if (life === 0) {
        const answer = await selected;
        if (answer?.status !== 202) throw new Error(`not selected: ${JSON.stringify(answer)}`);
        now = await catalogWhen(
          url,
          agent,
          (catalog) => catalog.active.id === to.id && catalog.activation.state === 'active',
        );
        lastsMs = Date.now() - began;
        continue;
      }
      await pause(Math.random() * lastsMs);
      await agent.kill();
      await selected;
      agent = looping(data, port);
      now = await catalogWhen(url, agent, (catalog) => catalog.activation.state !== 'trial');
      tally.kills += 1;
      if (now.active?.id === from.id) tally.old += 1;
      else if (now.active?.id === to.id) tally.fresh += 1;
      else tally.elsewhere += 1;
      if (now.activation.state === 'rolled_back') tally.taken += 1;
      if (now.issues.length > 0 || now.selection.id !== now.active?.id) tally.elsewhere += 1;
      onLife(tally);
    }
    return tally;
  } finally {
    await agent?.kill();
    rmSync(data, { recursive: true, force: true, maxRetries: 40, retryDelay: 50 });
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const kills = Number(process.argv[2] ?? 50);
  const words = (tally) =>
    `${tally.kills} activations killed: ${tally.old} came back on the old revision (${tally.taken} of them after a trial was taken back), ${tally.fresh} on the new one, ${tally.elsewhere} elsewhere`;
  const tally = await killActivations(kills, (now) => {
    if (now.kills % 10 === 0) process.stdout.write(`${words(now)}\n`);
  });
  process.stdout.write(`${words(tally)}\n`);
  process.exitCode = tally.elsewhere === 0 ? 0 : 1;
}
