import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { until } from '#test/broker/mosquitto.ts';

import { type Lan, makeLan } from './lan.ts';
import { whyNoNamespaces } from './routed.ts';

const bundle = fileURLToPath(new URL('../../dist/sconce.cjs', import.meta.url));
const besides = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const missing = whyNoNamespaces() ?? (existsSync(bundle) ? null : 'the agent is not built (npm run build)');

const OPEN = 2201;
const CLOSED = 2202;

/** Every way to write the panel's own addresses, its loopback and its link. */
const hosts = [
  '127.0.0.1',
  '127.1.2.3',
  'localhost',
  '0.0.0.0',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '10.99.0.1',
  '[::ffff:10.99.0.1]',
  '169.254.7.7',
  '[fe80::1]',
];

describe('what a neighbour learns of the ports of a panel', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-probed-'));
  let lan: Lan | undefined;
  beforeAll(async () => {
    if (missing === null) lan = await makeLan(2);
  }, 20_000);
  afterAll(async () => {
    await lan?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it(
    'is one sentence for an open port and a closed one, without a connection',
    { timeout: 60_000 },
    async ({ skip }) => {
      if (missing !== null) skip(`skipped: ${missing}`);
      const [panel, attacker] = lan?.machines ?? [];
      if (panel === undefined || attacker === undefined) throw new Error('no network');
      const service = panel.start(process.execPath, besides('attacks/open-port.mjs'), String(OPEN));
      const run = ['run', '--profile', 'simulated', '--data', folder, '--port', '8888', '--no-discovery'] as const;
      panel.start(process.execPath, bundle, ...run);
      const caller = attacker.start('nice', '-n', '10', process.execPath, besides('caller.mjs'), '8888', panel.address);
      await until('the service', () => service.printed().startsWith('ready'));

      let number = 0;
      const call = async (path: string, body?: object) => {
        number += 1;
        const mark = `{"number":${number},`;
        caller.tell(JSON.stringify({ number, path, body }));
        const answered = (): string | undefined =>
          caller
            .printed()
            .split('\n')
            .slice(0, -1)
            .find((line) => line.startsWith(mark));
        // As the caller prints it.
        return JSON.parse(await until(path, answered)) as { readonly status: number; readonly text: string };
      };
      const broker = (url: string) => call(`/api/v1/config/probe-broker?url=${encodeURIComponent(url)}`);
      const home = (url: string) => call(`/api/v1/config/probe-home-assistant?url=${encodeURIComponent(url)}`);
      /** The answer with the port that was asked for taken out. */
      const without = ({ status, text }: { readonly status: number; readonly text: string }): string =>
        `${status} ${text}`.replaceAll(/220[12]/g, 'PORT');
      await expect.poll(async () => (await call('/health')).status, { timeout: 20_000, interval: 50 }).toBe(200);

      const probes = hosts.flatMap((host) => [
        ...['mqtt', 'mqtts'].map((scheme) => (port: number) => broker(`${scheme}://${host}:${port}`)),
        ...['http', 'https'].map((scheme) => (port: number) => home(`${scheme}://${host}:${port}`)),
      ]);
      for (const probe of probes) {
        // oxlint-disable-next-line no-await-in-loop -- a newer probe ends the older
        const [open, closed] = [await probe(OPEN), await probe(CLOSED)];
        expect(without(open)).toBe(without(closed));
        expect(JSON.parse(open.text)).toMatchObject({ ok: false, error: 'local-address' });
      }
      expect(service.printed()).toBe('ready\n');

      // The broker that an owner really runs there.
      await call('/api/v1/config', { mqtt_broker: `mqtt://localhost:${OPEN}` });
      expect(JSON.parse((await broker(`mqtt://localhost:${OPEN}`)).text)).toMatchObject({ ok: true });
      expect(JSON.parse((await broker(`mqtt://localhost:${CLOSED}`)).text)).toMatchObject({ error: 'local-address' });
      await until('a connection', () => (service.printed().includes('took') ? true : undefined));
    },
  );
});
