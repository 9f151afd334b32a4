import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { addAttacker, probe, type Attacker } from './attacks/attackers.ts';
import { buildFilesAlone } from './build-files-alone.ts';
import { startRouted, whyNoNamespaces, type RoutedServer } from './routed.ts';

const PORT = 8888;
const missing = whyNoNamespaces();
const bytes = 64 * 1024 * 1024;
const addresses = Array.from({ length: 16 }, (_, index) => `10.0.9.${index + 2}`);

describe('sixteen machines that send a file of 64 MiB at once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-files-'));
  const tmp = join(folder, 'tmp');
  let server: RoutedServer | undefined;
  let attacker: Attacker | undefined;
  const memoryMb = (name: 'VmRSS' | 'VmHWM'): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${server?.pid}/status`, 'utf8'))?.[1]) /
    1024;

  beforeAll(async () => {
    if (missing !== null) return;
    const program = await buildFilesAlone(folder);
    // What V8 takes by itself on a panel with 512 MB.
    const node = [process.execPath, '--max-old-space-size=256'] as const;
    server = await startRouted([...node, program, String(PORT), folder, '0'], PORT);
    attacker = await addAttacker(server, PORT, addresses.length);
  }, 60_000);
  afterAll(async () => {
    await attacker?.remove();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('have one served and all others refused, while a neighbour is answered', { timeout: 90_000 }, async ({ skip }) => {
    if (missing !== null) skip(`skipped: ${missing}`);
    if (server === undefined || attacker === undefined) throw new Error('not started');
    const told = { to: '10.0.9.1', port: PORT, path: '/api/v1/file', bytes };
    // Code that is not compiled yet is no memory of the files.
    const first = await attacker.runs('files.mjs', { ...told, from: addresses.slice(0, 1), bytes: 1_000_000 });
    await expect.poll(first.printed, { timeout: 20_000, interval: 20 }).toContain('ended 200');
    await first.end();
    await probe(server, PORT, 50);
    const quietMb = memoryMb('VmRSS');
    // Resets the peak memory (proc(5), clear_refs).
    writeFileSync(`/proc/${server.pid}/clear_refs`, '5');
    const all = await attacker.runs('files.mjs', { ...told, from: addresses });
    const during = await probe(server, PORT);
    await expect.poll(all.lines, { timeout: 60_000, interval: 20 }).toBe(addresses.length + 1);
    const moreMb = memoryMb('VmHWM') - quietMb;
    const statuses = [...all.printed().matchAll(/^ended (\d+)/gm)].map(([, status]) => Number(status));
    await all.end();
    console.info(
      `neighbour: median ${during.medianMs.toFixed(1)} ms, longest ${during.longestMs.toFixed(0)} ms; memory at most ` +
        `${moreMb.toFixed(0)} MB above ${quietMb.toFixed(0)} MB; ${all.printed().trim().replaceAll('\n', ', ')}`,
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(addresses.length - 1);
    expect([during.refused, during.longestMs < 1000]).toEqual([0, true]);
    expect(moreMb).toBeLessThan(100);
    await expect.poll(() => (existsSync(tmp) ? readdirSync(tmp) : [])).toEqual([]);
  });

  it('can fetch as much at once, four at a time', { timeout: 90_000 }, async ({ skip }) => {
    if (missing !== null) skip(`skipped: ${missing}`);
    if (server === undefined || attacker === undefined) throw new Error('not started');
    const quietMb = memoryMb('VmRSS');
    writeFileSync(`/proc/${server.pid}/clear_refs`, '5');
    const from = addresses.slice(0, 4);
    const all = await attacker.runs('fetcher.mjs', { to: '10.0.9.1', port: PORT, path: '/api/v1/file', from });
    const during = await probe(server, PORT);
    await expect.poll(all.lines, { timeout: 60_000, interval: 20 }).toBe(from.length + 1);
    const moreMb = memoryMb('VmHWM') - quietMb;
    const got = [...all.printed().matchAll(/^ended (\d+)/gm)].map(([, length]) => Number(length));
    await all.end();
    console.info(
      `neighbour: median ${during.medianMs.toFixed(1)} ms, longest ${during.longestMs.toFixed(0)} ms; memory at most ` +
        `${moreMb.toFixed(0)} MB above ${quietMb.toFixed(0)} MB`,
    );
    expect(got).toEqual(from.map(() => bytes));
    expect([during.refused, during.longestMs < 1000]).toEqual([0, true]);
    expect(moreMb).toBeLessThan(100);
    expect(readdirSync(tmp)).toEqual([]);
  });
});
