// Kills a process that saves, again and again, and checks that nothing it acknowledged is lost.
// Usage: node test/durability/kill.mjs [number of kills, 500 when absent]
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));

/** Bundles the writer into `folder`; returns the script's path. */
export async function bundleWriter(folder) {
  const script = join(folder, 'writer.mjs');
  await build({
    entryPoints: [join(here, 'writer.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outfile: script,
    logLevel: 'warning',
  });
  return script;
}

/**
 * The number that the document holds, read as the store reads it: the current file, else the previous one; -1 for none.
 * Or the one in the named files.
 */
export function numberOnDisk(data, ...names) {
  for (const name of names.length > 0 ? names : ['state.json', 'state.json.previous']) {
    try {
      return JSON.parse(readFileSync(join(data, name), 'utf8')).sections.settings.number;
    } catch {
      // The other file is tried, as the store does.
    }
  }
  return -1;
}

/** One life of the writer: killed `afterMs` after its first acknowledgement; resolves to the lines it printed. */
const oneLife = (script, data, afterMs) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, data], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    let timer;
    child.stdout.on('data', (chunk) => {
      text += chunk;
      if (timer === undefined && text.includes('acknowledged'))
        timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
    });
    child.on('error', reject);
    child.on('close', (_code, signal) => {
      clearTimeout(timer);
      if (signal === 'SIGKILL') resolve(text.split('\n').slice(0, -1));
      else reject(new Error('the writer ended by itself'));
    });
  });

/**
 * Kills the writer `kills` times at random moments of its writing. `lost` counts acknowledged saves that were gone
 * afterwards, `unreadable` the times no file could be read, `wounded` those when the previous copy was needed.
 */
export async function killWhileSaving(kills, onLife = () => {}) {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-kill-'));
  const data = join(folder, 'data');
  try {
    const script = await bundleWriter(folder);
    const tally = { kills: 0, acknowledged: 0, lost: 0, unreadable: 0, wounded: 0 };
    for (let life = 0; life < kills; life += 1) {
      const lines = await oneLife(script, data, Math.random() * 12);
      const acknowledged = lines.filter((line) => line.startsWith('acknowledged '));
      const newest = Number(acknowledged.at(-1)?.split(' ')[1] ?? 0);
      const found = numberOnDisk(data);
      tally.kills += 1;
      tally.acknowledged += acknowledged.length;
      if (found < 0) tally.unreadable += 1;
      if (found < newest) tally.lost += newest - Math.max(0, found);
      if (lines.some((line) => line.endsWith(' previous'))) tally.wounded += 1;
      onLife(tally);
    }
    return tally;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const kills = Number(process.argv[2] ?? 500);
  const tally = await killWhileSaving(kills, (now) => {
    if (now.kills % 50 === 0)
      process.stdout.write(
        `${now.kills} of ${kills} kills: ${now.acknowledged} saves acknowledged, ${now.lost} lost\n`,
      );
  });
  process.stdout.write(
    `${tally.kills} kills during writes: ${tally.acknowledged} saves acknowledged, ${tally.lost} lost, ` +
      `${tally.unreadable} times nothing readable, ${tally.wounded} times the previous copy was needed\n`,
  );
  process.exitCode = tally.lost === 0 && tally.unreadable === 0 ? 0 : 1;
}
