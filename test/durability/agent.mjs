// Kills the whole agent while it saves settings over HTTP, and checks that nothing it answered with 200 is lost.
// Usage: node test/durability/agent.mjs [number of kills, 50 when absent]
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const bundle = fileURLToPath(new URL('../../dist/sconce.cjs', import.meta.url));

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Waits until the agent serves its settings. */
async function ready(url, child) {
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('the agent ended by itself');
    try {
      const response = await fetch(`${url}/api/v1/config`);
      if (response.ok) return await response.json();
    } catch {
      // Not listening yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function save(url, number) {
  try {
    const response = await fetch(`${url}/api/v1/config`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ friendly_name: `name ${number}` }),
    });
    return response.status === 200;
  } catch {
    return false;
  }
}

/**
 * Kills the agent `kills` times at random moments of its saving; `lost` counts saves that were answered 200 and were
 * gone.
 */
export async function killAgentWhileSaving(kills, onLife = () => {}) {
  const data = mkdtempSync(join(tmpdir(), 'sconce-kill-agent-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const tally = { kills: 0, acknowledged: 0, lost: 0 };
  let newest = 0;
  let child;
  const start = () => {
    child = spawn(
      process.execPath,
      [bundle, 'run', '--data', data, '--port', String(port), '--profile', 'simulated', '--no-discovery'],
      { stdio: 'ignore' },
    );
  };
  try {
    start();
    await ready(url, child);
    for (let life = 0; life < kills; life += 1) {
      const gone = new Promise((resolve) => child.once('close', resolve));
      const killed = child;
      let timer;
      for (let number = newest + 1; await save(url, number); number += 1) {
        newest = number;
        tally.acknowledged += 1;
        timer ??= setTimeout(() => killed.kill('SIGKILL'), Math.random() * 25);
      }
      if (timer === undefined) throw new Error('the agent took no save at all');
      await gone;
      start();
      const { friendly_name: found } = await ready(url, child);
      const number = Number(/^name (\d+)$/.exec(found)?.[1] ?? 0);
      tally.kills += 1;
      if (number < newest) tally.lost += newest - number;
      newest = Math.max(newest, number);
      onLife(tally);
    }
    return tally;
  } finally {
    child?.kill('SIGKILL');
    rmSync(data, { recursive: true, force: true });
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const kills = Number(process.argv[2] ?? 50);
  const tally = await killAgentWhileSaving(kills, (now) => {
    if (now.kills % 10 === 0)
      process.stdout.write(
        `${now.kills} of ${kills} kills of the agent: ${now.acknowledged} saves answered 200, ${now.lost} lost\n`,
      );
  });
  process.stdout.write(
    `${tally.kills} kills of the agent: ${tally.acknowledged} saves answered 200, ${tally.lost} lost\n`,
  );
  process.exitCode = tally.lost === 0 ? 0 : 1;
}
