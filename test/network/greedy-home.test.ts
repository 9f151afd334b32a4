import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { parkedParts } from '#machines/kit/status.ts';
import { StatusDocument } from '#machines/status.ts';
import { amount } from '#test/fakes/amount.ts';
import { addAttacker, probe, type Attacker, type Running } from './attacks/attackers.ts';
import { paths, startRouted, whyNoNamespaces, type RoutedServer } from './routed.ts';

const PORT = 8888;
const bundle = fileURLToPath(new URL('../../dist/sconce.cjs', import.meta.url));
const missing = whyNoNamespaces() ?? (existsSync(bundle) ? null : 'the agent is not built (npm run build)');
/** A neighbour is answered so soon at the 99th percentile, and the agent grows by no more, its connection included. */
const usual = { p99Ms: 250, mb: 70 };
/** Lists of the largest size that a house may need, each within the bounds, until they are a flood. */
const flood = { p99Ms: 1500, mb: 150 };

describe('a Home Assistant that anybody may name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-greedy-'));
  let server: RoutedServer | undefined;
  let attacker: Attacker | undefined;
  let home: Running | undefined;
  let quietMb = 0;
  let port = 8123;
  const started = () => {
    if (server === undefined || attacker === undefined) throw new Error('not started');
    return { server, attacker };
  };
  const residentMb = (): number =>
    Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${server?.pid}/status`, 'utf8'))?.[1]) / 1024;
  const ask = async (head: string, body = '') => {
    const more = body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    return started().server.send(
      paths.lan,
      `${head} HTTP/1.1\r\nHost: ${paths.lan.to}\r\nConnection: close\r\n${more}\r\n${body}`,
    );
  };
  const statusNow = async (query = ''): Promise<StatusDocument> =>
    StatusDocument().parse(JSON.parse((await ask(`GET /api/v1/status${query}`)).body));

  beforeAll(async () => {
    if (missing !== null) return;
    server = await startRouted(
      [
        'env',
        '--unset=SCONCE_VERIFY_ANSWERS',
        process.execPath,
        // What V8 takes by itself on a panel with 512 MB.
        '--max-old-space-size=256',
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
    for (const path of ['/', '/configure', '/api/v1/status?refresh=1']) await ask(`GET ${path}`);
    await probe(server, PORT);
    quietMb = residentMb();
  }, 60_000);
  afterEach(async () => {
    await home?.end();
    home = undefined;
  });
  afterAll(async () => {
    await attacker?.remove();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it.for(amount(['deep', 'wide'], ['deep', 'closed', 'objects', 'wide', 'numbers', 'large', 'flood']))(
    'lets a neighbour be answered and the agent live: %s',
    { timeout: 60_000 },
    async (how, { skip, onTestFinished }) => {
      if (missing !== null) skip(`skipped: ${missing}`);
      const on = started();
      const most = how === 'flood' ? flood : usual;
      port += 1;
      home = await on.attacker.runs('greedy-home.mjs', {
        host: on.attacker.address,
        port,
        how: [how],
        bytes: 16_000_000,
      });
      let mostMb = 0;
      const watch = setInterval(() => (mostMb = Math.max(mostMb, residentMb())), 5);
      onTestFinished(() => clearInterval(watch));
      const { status } = await ask(
        'POST /api/v1/config',
        // Another address each time: what was sent at the last one is not held against it.
        JSON.stringify({ ha_url: `http://${on.attacker.address}:${port}`, ha_token: `any-${how}` }),
      );
      expect(status).toBe(200);
      await expect
        .poll(async () => (await statusNow()).sign_in, { timeout: 20_000, interval: 200 })
        .toMatchObject({ phase: 'signed-in' });
      const asked = ask('GET /api/v1/config/home-dashboards');
      const probed = await probe(on.server, PORT);
      await asked;
      const { home_assistant: shown, warnings, supervision } = await statusNow();
      console.info(
        `${how}: median ${probed.medianMs.toFixed(1)} ms, p99 ${probed.p99Ms.toFixed(0)} ms, longest ` +
          `${probed.longestMs.toFixed(0)} ms; memory at most ${(mostMb - quietMb).toFixed(0)} MB more`,
      );
      expect(shown?.parked_until).toBeGreaterThan(Date.now());
      expect(warnings).toContainEqual(expect.stringMatching(/^Home Assistant sent .* The panel stays away/));
      expect(parkedParts(supervision)).toEqual([]);
      expect(probed.refused).toBe(0);
      expect(probed.p99Ms).toBeLessThan(most.p99Ms);
      expect(mostMb - quietMb).toBeLessThan(most.mb);
    },
  );
});
