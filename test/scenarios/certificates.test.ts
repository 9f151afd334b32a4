import { mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { certificates } from '../drivers/certificates.ts';
import { post, startLive, until, type LiveAgent } from './live-agent.ts';

/** A name that stands in the certificate alone, to be looked for where it must not be. */
const marker = 'marker-authority-41';

describe('a certificate that the system does not trust, met by the whole agent', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-untrusted-'));
  const servers: Server[] = [];
  let live: LiveAgent;
  let broker = '';
  let web = '';
  const listening = async (server: Server): Promise<string> => {
    servers.push(server);
    server.on('tlsClientError', () => {});
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    // A server that listens on TCP has an AddressInfo.
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  beforeAll(async () => {
    const keys = certificates(folder).authority(marker).issue('server', { altNames: 'IP:127.0.0.1' });
    broker = `mqtts://${await listening(createTlsServer(keys, (socket) => void socket.destroy()))}`;
    web = `https://${await listening(createHttpsServer(keys, (_, response) => response.end('{}')))}`;
    live = await startLive();
  });
  afterAll(async () => {
    await live.close();
    for (const server of servers) server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const row = async (id: string) => (await live.agent.status()).capabilities.find((one) => one.id === id);
  const named = {
    state: 'needs_you',
    reason: 'certificate-untrusted',
    detail: expect.stringMatching(/^The certificate of .* is not trusted by this panel: .*ca-certificates\/NAME\.crt/),
    fix: { command: 'sudo update-ca-certificates' },
  };

  test('is named for the broker', async () => {
    expect((await post(`${live.url}/api/v1/config`, { mqtt_broker: broker })).status).toBe(200);
    await until('the broker', async () => (await row('mqtt'))?.reason === 'certificate-untrusted');
    expect(await row('mqtt')).toMatchObject(named);
    expect((await live.agent.status()).mqtt).toMatchObject({ phase: 'unreachable', failure: 'certificate-untrusted' });
  });

  test('is named for Home Assistant', async () => {
    const saved = await post(`${live.url}/api/v1/config`, { ha_url: web, ha_token: 'marker-token-41' });
    expect(saved.status).toBe(200);
    await until('the sign-in', async () => (await row('sign-in'))?.reason === 'certificate-untrusted');
    expect(await row('sign-in')).toMatchObject(named);
    expect((await live.agent.status()).sign_in).toMatchObject({ reachable: false, failure: 'certificate-untrusted' });
  });

  test('is named for a sound', async () => {
    await fetch(`${live.url}/play`, { method: 'POST', body: `${web}/sound.wav` });
    await until('the refusal', async () => (await live.agent.status()).announcement?.phase === 'failed');
    expect((await live.agent.status()).announcement).toMatchObject({
      reason: 'certificate-untrusted',
      detail: expect.stringContaining('sudo update-ca-certificates'),
    });
  });

  test('is put right without sudo by who started the agent in the shell of root', async () => {
    const rooted = await startLive({ rootShell: true });
    try {
      await post(`${rooted.url}/api/v1/config`, { mqtt_broker: broker });
      const its = async () => (await rooted.agent.status()).capabilities.find(({ id }) => id === 'mqtt');
      await until('the broker', async () => (await its())?.reason === 'certificate-untrusted');
      expect(await its()).toMatchObject({
        detail: expect.stringContaining('and run update-ca-certificates;'),
        fix: { command: 'update-ca-certificates' },
      });
      expect(await (await fetch(`${rooted.url}/api/v1/provisioning/plan`)).text()).not.toContain('sudo');
    } finally {
      await rooted.close();
    }
  });

  test('and says nothing of where it was met, or of what stands in it', async () => {
    const diag = await (await fetch(`${live.url}/api/v1/diag`)).text();
    const said = [JSON.stringify(await live.agent.status()), diag, ...live.lines].join('\n');
    for (const secret of [marker, broker.slice('mqtts://'.length), web.slice('https://'.length), 'marker-token-41'])
      expect(said).not.toContain(secret);
    expect(said).not.toMatch(/SELF_SIGNED|UNABLE_TO_|self-signed certificate|unable to verify/);
  });
});
