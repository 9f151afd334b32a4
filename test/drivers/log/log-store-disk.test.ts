import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { canMount, unmount, withMount } from '#test/durability/own-mounts.ts';

const base = mkdtempSync(join(tmpdir(), 'sconce-log-disk-'));
const program = join(base, 'program.mjs');

/** Logs on the given disk, makes room when it is full, and prints the result. */
const source = `
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createActor } from 'xstate';
import { logFilesMachine } from '#machines/log-files/machine.ts';
import { logFileRules } from '#machines/log-files/rules.ts';
import { openLogStore } from '#drivers/log/log-store.ts';
import { createLogger } from '#drivers/log/logger.ts';
const folder = process.argv[2];
const log = createLogger({ level: 'info', secretKeys: [], human: false, write: () => {} });
const rules = { ...logFileRules, waitFor: () => 1, retryMs: 10 };
const keeper = openLogStore({ folder, tail: log.tail, rules, boot: null, now: Date.now });
const actor = createActor(logFilesMachine.provide({ actors: { source: keeper.driver } })).start();
const failure = () => actor.getSnapshot().context.failure;
const until = async (check) => { while (!check()) await new Promise((resolve) => setTimeout(resolve, 5)); };
if (existsSync(folder + '/ballast')) rmSync(folder + '/ballast');
try { writeFileSync(folder + '/ballast', Buffer.alloc(60_000)); } catch {}
let line = 0;
while (failure() === null && line < 200) {
  log.warn('line ' + (line += 1) + ' ' + 'x'.repeat(1500));
  await until(() => failure() !== null || (existsSync(folder + '/agent.log') && readFileSync(folder + '/agent.log', 'utf8').includes('line ' + line + ' ')));
}
const first = failure();
const kept = log.tail.kept().length;
try { rmSync(folder + '/ballast'); } catch {}
if (first === 'ENOSPC') await until(() => failure() === null);
keeper.close();
const text = existsSync(folder + '/agent.log') ? readFileSync(folder + '/agent.log', 'utf8') : '';
const found = logFileRules.recall([text], null).entries.filter(({ kind }) => kind === 'line').length;
console.log(JSON.stringify({ first, last: failure(), inMemory: kept === line + 1, whole: found === line, state: actor.getSnapshot().status }));
process.exit(0);
`;

beforeAll(() => {
  buildSync({
    stdin: { contents: source, resolveDir: fileURLToPath(new URL('../../..', import.meta.url)), loader: 'ts' },
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'silent',
  });
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe.skipIf(!canMount)(`a log on a disk${canMount ? '' : ' (skipped: nothing can be mounted here)'}`, () => {
  it.each([
    ['that is full waits for room, and then has every line once', 'size=96k', 'ENOSPC', null, true],
    ['that is read-only stays in memory, and nothing crashes', 'size=96k,ro', 'EROFS', 'EROFS', false],
  ])('%s', (_, options, first, last, whole) => {
    const folder = mkdtempSync(join(base, 'disk-'));
    const [command, ...args] = withMount(folder, options);
    try {
      const { stdout, stderr } = spawnSync(command, [...args, process.execPath, program, folder], {
        encoding: 'utf8',
        timeout: 18_000,
      });
      expect(stdout, stderr).not.toBe('');
      expect(JSON.parse(stdout)).toEqual({ first, last, inMemory: true, whole, state: 'active' });
    } finally {
      unmount(folder);
    }
  });
});
