import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { amount } from '#test/fakes/amount.ts';
import { addAttacker, probe, type Attack, type Attacker, type Probes } from './attacks/attackers.ts';
import { paths, startRouted, whyNoNamespaces, type RoutedServer } from './routed.ts';

const PORT = 8888;
const bundle = fileURLToPath(new URL('../../dist/sconce.cjs', import.meta.url));
const missing = whyNoNamespaces() ?? (existsSync(bundle) ? null : 'the agent is not built (npm run build)');

const burst = (connections: number, requests: number, path: string, keeps = false): Attack => ({
  name: `${connections} x ${requests} ${path}${keeps ? ', kept' : ''}`,
  addresses: 1,
  connections,
  requests,
  path,
  keeps,
});
/** What stopped an agent for seconds that made all responses of a read at once. */
const bursts: readonly Attack[] = [
  burst(1, 100, '/configure'),
  burst(1, 700, '/configure'),
  burst(2, 1400, '/'),
  burst(1, 1000, '/api/v1/status?refresh=1'),
];
/** As many as are let in, each with as many requests as a connection may have. */
const patient: Attack = { ...burst(64, 30, '/configure', true), name: 'every place taken', addresses: 4 };
/** All connections there are, and nothing is ever read. */
const deaf: Attack = {
  name: 'nobody reads',
  addresses: 4,
  connections: 64,
  requests: 20,
  path: '/api/v1/openapi.json',
  keeps: true,
};
const attacks = amount(
  [burst(8, 1000, '/configure', true), patient, deaf],
  [...bursts, burst(8, 1000, '/configure', true), burst(64, 30, '/configure'), patient, deaf],
);

describe('a machine that floods the panel', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-load-'));
  let server: RoutedServer | undefined;
  let attacker: Attacker | undefined;
  let quiet: Probes | undefined;
  let quietMb = 0;
  const residentMb = (): number =>
    Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${server?.pid}/status`, 'utf8'))?.[1]) / 1024;

  /** How long the agent has waited for a processor that others had, in milliseconds (Linux, schedstat). */
  const starvedMs = (): number =>
    Number(readFileSync(`/proc/${server?.pid}/schedstat`, 'utf8').split(' ')[1]) / 1_000_000;

  beforeAll(async () => {
    if (missing !== null) return;
    server = await startRouted(
      [
        // It serves as on a panel, without looking at its own answers.
        'env',
        '--unset=SCONCE_VERIFY_ANSWERS',
        process.execPath,
        bundle,
        'run',
        '--profile',
        'simulated',
        '--data',
        folder,
        '--port',
        String(PORT),
        '--no-discovery',
      ],
      PORT,
    );
    attacker = await addAttacker(server, PORT);
    // What is made once, and code that is not compiled yet, is no memory of an attack.
    for (const { path } of [...bursts, deaf])
      await server.send(paths.lan, `GET ${path} HTTP/1.1\r\nHost: ${paths.lan.to}\r\nConnection: close\r\n\r\n`);
    await probe(server, PORT, 50);
    quiet = await probe(server, PORT);
    quietMb = residentMb();
  }, 60_000);
  afterAll(async () => {
    await attacker?.remove();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it.for(attacks)('lets its neighbour be answered: $name', { timeout: 90_000 }, async (attack, { skip }) => {
    if (missing !== null) skip(`skipped: ${missing}`);
    if (server === undefined || attacker === undefined || quiet === undefined) throw new Error('not started');
    const end = await attacker.attack(attack);
    const before = starvedMs();
    const [probed] = await Promise.allSettled([probe(server, PORT)]);
    await end();
    if (probed.status === 'rejected') throw probed.reason;
    const during = probed.value;
    const ratio = (during.medianMs / quiet.medianMs).toFixed(1);
    console.info(
      `${attack.name}: median ${during.medianMs.toFixed(1)} ms (${ratio} x), p99 ${during.p99Ms.toFixed(0)} ms, ` +
        `longest ${during.longestMs.toFixed(0)} ms, of which others had the processor for at most ` +
        `${(starvedMs() - before).toFixed(0)} ms in all; memory ${(residentMb() - quietMb).toFixed(0)} MB more`,
    );
    expect(during.refused).toBe(0);
    expect(during.longestMs).toBeLessThan(1000);
    await expect
      .poll(() => residentMb() - quietMb, { timeout: 30_000, interval: 100, message: 'memory above quiet, in MB' })
      .toBeLessThan(100);
  });

  it('leaves the panel working: its own browser, and every part', async ({ skip }) => {
    if (missing !== null) skip(`skipped: ${missing}`);
    if (server === undefined) throw new Error('not started');
    const asked = await server.send(
      paths.lan,
      `GET /api/v1/status HTTP/1.1\r\nHost: ${paths.lan.to}\r\nConnection: close\r\n\r\n`,
    );
    expect(asked.status).toBe(200);
    expect(server.printed()).not.toMatch(/"level":"?(?:error|fatal|50|60)/);
  });
});
