import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { amount } from '#test/fakes/amount.ts';
import { MOSQUITTO } from '#test/broker/mosquitto.ts';
import { addAttacker, probe, type Attack, type Attacker, type Probes, type Running } from './attacks/attackers.ts';
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

  const started = () => {
    if (server === undefined || attacker === undefined || quiet === undefined) throw new Error('not started');
    return { server, attacker, quiet };
  };
  /** Which phase the link to the broker is in, as its owner at the neighbour sees it. */
  const linkPhase = async (): Promise<unknown> => {
    const asked = `GET /api/v1/status HTTP/1.1\r\nHost: ${paths.lan.to}\r\nConnection: close\r\n\r\n`;
    const { body } = await started().server.send(paths.lan, asked);
    return z.object({ mqtt: z.object({ phase: z.string() }) }).parse(JSON.parse(body)).mqtt.phase;
  };
  /** Sends settings as their owner at the neighbour does. */
  const save = async (settings: object): Promise<void> => {
    const body = JSON.stringify(settings);
    const head = `POST /api/v1/config HTTP/1.1\r\nHost: ${paths.lan.to}\r\nConnection: close\r\n`;
    const type = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    const { status } = await started().server.send(paths.lan, `${head}${type}${body}`);
    expect(status).toBe(200);
  };

  /** Probes while an attack goes on, ends it, and holds the agent against what an attack may cost its neighbour. */
  const withstands = async (name: string, running: readonly Running[]): Promise<void> => {
    const on = started();
    const before = starvedMs();
    const [probed] = await Promise.allSettled([probe(on.server, PORT)]);
    for (const one of running) await one.end();
    if (probed.status === 'rejected') throw probed.reason;
    const during = probed.value;
    const ratio = (during.medianMs / on.quiet.medianMs).toFixed(1);
    console.info(
      `${name}: median ${during.medianMs.toFixed(1)} ms (${ratio} x), p99 ${during.p99Ms.toFixed(0)} ms, ` +
        `longest ${during.longestMs.toFixed(0)} ms, of which others had the processor for at most ` +
        `${(starvedMs() - before).toFixed(0)} ms in all; memory ${(residentMb() - quietMb).toFixed(0)} MB more`,
    );
    expect(during.refused).toBe(0);
    expect(during.longestMs).toBeLessThan(1000);
    await expect
      .poll(() => residentMb() - quietMb, { timeout: 30_000, interval: 100, message: 'memory above quiet, in MB' })
      .toBeLessThan(100);
  };

  it.for(attacks)('lets its neighbour be answered: $name', { timeout: 90_000 }, async (attack, { skip }) => {
    if (missing !== null) skip(`skipped: ${missing}`);
    await withstands(attack.name, [await started().attacker.attack(attack)]);
  });

  // A PUBLISH of 200,000,000 bytes, acknowledgements of nothing, and messages that nothing asked for in this way.
  const endless = { name: 'a broker whose packets do not end', first: '308084af5f', again: 'ff', ends: true };
  const acknowledged = { name: 'a broker that acknowledges without end', first: '', again: '40020001', ends: false };
  const twice = {
    name: 'a broker that wants to be acknowledged twice',
    first: '',
    again: '34050001610001',
    ends: true,
  };
  it.for(amount([endless], [endless, acknowledged, twice]))(
    'lets its neighbour be answered: $name',
    { timeout: 60_000 },
    async ({ name, first, again, ends }, { skip }) => {
      if (missing !== null) skip(`skipped: ${missing}`);
      const on = started();
      const ports = [1883, 1884];
      const broker = await on.attacker.runs('greedy-broker.mjs', { ports, first, again });
      // Another address is tried at once, the same one after ever longer pauses.
      const over = new AbortController();
      const asked = (async () => {
        for (let at = 0; !over.signal.aborted; at += 1)
          await save({ mqtt_broker: `mqtt://${on.attacker.address}:${ports[at % ports.length]}` });
      })();
      const end = async (): Promise<void> => {
        over.abort();
        await asked;
        await broker.end();
      };
      await withstands(name, [{ ...broker, end }]);
      expect(broker.lines(), 'the agent connected to it, and again where it had ended that').toBeGreaterThan(
        ends ? 2 : 1,
      );
    },
  );

  it('lets its neighbour be answered: commands and births by the thousand', { timeout: 60_000 }, async ({ skip }) => {
    if (missing !== null) skip(`skipped: ${missing}`);
    if (!existsSync(MOSQUITTO)) skip('skipped: mosquitto is not installed');
    const on = started();
    const configuration = join(folder, 'mosquitto.conf');
    writeFileSync(
      configuration,
      'listener 1885\nallow_anonymous true\npersistence false\nlog_dest stderr\nuser root\n',
    );
    const broker = await on.attacker.start([MOSQUITTO, '-c', configuration]);
    await save({ panel_id: 'hall', mqtt_broker: `mqtt://${on.attacker.address}:1885` });
    await expect.poll(linkPhase, { timeout: 20_000, interval: 50 }).toBe('connected');
    const url = 'mqtt://127.0.0.1:1885';
    await withstands('commands and births by the thousand', [
      await on.attacker.runs('flooder.mjs', { url, panelId: 'hall' }),
      broker,
    ]);
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
