import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'sconce-descriptors-'));
const program = join(folder, 'program.mjs');

beforeAll(() => {
  buildSync({
    stdin: {
      contents: `import { closeSync, openSync } from 'node:fs';
import { mpv, runPlayer } from '#drivers/announcer/player-program.ts';
import { startBrowser } from '#drivers/renderer/browser-process.ts';
const before = process.listenerCount('exit');
const held = [];
try { for (;;) held.push(openSync('/dev/null', 'r')); } catch {}
const outcome = await runPlayer(mpv, { folder: '/', name: 'sound', kind: 'wav' }, { env: process.env, signal: new AbortController().signal });
const browser = startBrowser('/bin/true', [], {}, () => {});
// The system's own word on it comes in a later turn.
await new Promise((resolve) => setImmediate(resolve));
for (const fd of held) closeSync(fd);
console.log(JSON.stringify([outcome, browser, process.listenerCount('exit') - before]));`,
      resolveDir: fileURLToPath(new URL('../..', import.meta.url)),
      loader: 'ts',
    },
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'silent',
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a process without a free descriptor', () => {
  it('starts no player and no browser, and lives on', () => {
    const { stdout, status } = spawnSync('/bin/sh', ['-c', 'ulimit -n 64; exec "$0" "$1"', process.execPath, program], {
      encoding: 'utf8',
      timeout: 20_000,
    });
    expect([status, stdout.trim()]).toEqual([0, '["not-playable",null,0]']);
  });
});
