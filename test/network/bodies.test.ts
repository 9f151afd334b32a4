import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { amount } from '#test/fakes/amount.ts';
import { addAttacker, probe, type Attacker } from './attacks/attackers.ts';
import { startRouted, whyNoNamespaces, type RoutedServer } from './routed.ts';

const PORT = 8888;
const bundle = process.env['BUNDLE'] ?? fileURLToPath(new URL('../../dist/sconce.cjs', import.meta.url));
const missing = whyNoNamespaces() ?? (existsSync(bundle) ? null : 'the agent is not built (npm run build)');

const path = '/api/v1/dashboard/entity-filter';
/** Just below the 4 MB that the address accepts. */
const large = { path, ids: 50_000, length: 76 };

describe('machines that send large bodies', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-bodies-'));
  let server: RoutedServer | undefined;
  let attacker: Attacker | undefined;
  let quietMb = 0;
  const memoryMb = (name: 'VmRSS' | 'VmHWM'): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${server?.pid}/status`, 'utf8'))?.[1]) /
    1024;

  const starvedMs = (): number =>
    Number(readFileSync(`/proc/${server?.pid}/schedstat`, 'utf8').split(' ')[1]) / 1_000_000;

  beforeAll(async () => {
    if (missing !== null) return;
    const run = ['run', '--profile', 'simulated', '--data', folder, '--port', String(PORT), '--no-discovery'];
    // It serves as on a panel, without looking at its own answers.
    server = await startRouted(
      [
        'env',
        '--unset=SCONCE_VERIFY_ANSWERS',
        process.execPath,
        ...(process.env['PROF']?.split(' ') ?? []),
        bundle,
        ...run,
      ],
      PORT,
    );
    attacker = await addAttacker(server, PORT);
    await probe(server, PORT, 50);
  }, 60_000);
  afterAll(async () => {
    await attacker?.remove();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const started = () => {
    if (server === undefined || attacker === undefined) throw new Error('not started');
    return { server, attacker };
  };
  const from = (addresses: number, first = 2): readonly string[] =>
    Array.from({ length: addresses }, (_, index) => `10.0.9.${index + first}`);
  const upload = (told: object) => started().attacker.runs('uploader.mjs', { to: '10.0.9.1', port: PORT, ...told });
  /** One body of another peer, whole; the status of its answer. */
  const good = async (address: string): Promise<string> => {
    const one = await upload({ ...large, from: [address], connections: 1 });
    await expect.poll(one.lines, { timeout: 20_000, interval: 20 }).toBe(2);
    await one.end();
    return one.printed().trim().split('\n').at(-1) ?? '';
  };

  const attacks = [
    { name: 'silence', ...large, part: 3_900_000, connections: 60, addresses: 2, again: false },
    { name: 'silence, again', ...large, part: 3_900_000, connections: 60, addresses: 2, again: true },
    { name: 'whole 4MB', ...large, connections: 8, addresses: 2, again: true },
    { name: 'whole short ids', ...large, length: 12, connections: 16, addresses: 3, again: true },
    {
      name: 'overrides short ids',
      path: '/api/v1/dashboard/entities/overrides',
      ids: 50000,
      length: 12,
      field: { override: 'pinned', force: true },
      connections: 16,
      addresses: 3,
      again: true,
    },
  ];
  it.for(attacks.filter((a) => a.name.includes(process.env['ONLY'] ?? '')))(
    'lets its neighbour be answered: $name',
    { timeout: 90_000 },
    async ({ addresses, ...told }) => {
      const on = started();
      quietMb = memoryMb('VmRSS');
      writeFileSync(`/proc/${on.server.pid}/clear_refs`, '5');
      const began = performance.now();
      const before = starvedMs();
      const running = await upload({ ...told, from: from(addresses) });
      const during = await probe(on.server, PORT, 200);
      const took = performance.now() - began;
      console.info(
        `${told.name}: p99 ${during.p99Ms.toFixed(0)} median ${during.medianMs.toFixed(1)} longest ${during.longestMs.toFixed(0)}; +${(memoryMb('VmHWM') - quietMb).toFixed(0)} MB peak, +${(memoryMb('VmRSS') - quietMb).toFixed(0)} now of ${quietMb.toFixed(0)}; ${took.toFixed(0)} ms; lines ${running.lines()}; starved ${(starvedMs() - before).toFixed(0)}`,
      );
      const counts = new Map<string, number>();
      for (const line of running.printed().split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1);
      console.info([...counts]);
      console.info('good', await good('10.0.9.5'));
      await running.end();
    },
  );
});
