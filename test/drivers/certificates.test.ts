import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';

import { Aedes } from 'aedes';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { download, DOWNLOAD_BOUNDS } from '#drivers/announcer/download.ts';
import { brokerClient } from '#drivers/mqtt/client.ts';
import { createMessageExchange } from '#drivers/mqtt/message-exchange.ts';
import { homeAssistant } from '#drivers/sign-in/home-assistant.ts';
import { systemTrust } from '#drivers/sign-in/trust.ts';
import { shownFailure } from '#machines/kit/certificate.ts';
import type { BrokerCommand, BrokerFact, ConnectionInput } from '#machines/mqtt/events.ts';

import { playerRules } from './announcer/rules.ts';
import { certificates, type ServerKeys, type TestAuthority } from './certificates.ts';
import { isFact, runDriver } from './run-driver.ts';

const LOOPBACK = 'IP:127.0.0.1';
const folder = mkdtempSync(join(tmpdir(), 'sconce-certificates-'));
const bundle = join(folder, 'bundle.crt');
const sound = join(folder, 'sound');
const never = new AbortController().signal;
const make = certificates(folder);

/** What a server sends, and which authority the panel trusts. */
type Kind = readonly [keys: ServerKeys, trusted: TestAuthority];

let kinds: Readonly<Record<string, Kind>> = {};
const open: (() => void)[] = [];
beforeAll(() => {
  const [own, other] = [make.authority('own'), make.authority('other')];
  const below = own.below('below');
  const good = own.issue('good', { altNames: LOOPBACK });
  const lower = below.issue('lower', { altNames: LOOPBACK });
  kinds = {
    'of a trusted authority': [good, own],
    'of one below a trusted authority': [lower, own],
    'of an unknown authority': [good, other],
    'of one below an unknown authority': [lower, other],
    'of an unknown authority that is sent with it': [{ ...good, cert: good.cert + own.pem }, other],
    'that is self-signed': [make.selfSigned('alone', LOOPBACK), other],
    'that has expired': [own.issue('old', { altNames: LOOPBACK, days: { from: -9, to: -1 } }), own],
    'that is not valid yet': [own.issue('early', { altNames: LOOPBACK, days: { from: 2, to: 9 } }), own],
    'for another name': [own.issue('named', { altNames: 'DNS:elsewhere.test' }), own],
  };
});
afterEach(() => {
  for (const close of open.splice(0)) close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(() => void server.close());
  // A server that listens on TCP has an AddressInfo.
  return (server.address() as AddressInfo).port;
}

/** Serves every path over https, and hangs up on no one. */
async function web(keys: ServerKeys): Promise<string> {
  const server = createHttpsServer(keys, (_, response) => response.end('{}'));
  server.on('tlsClientError', () => {});
  const port = await listening(server);
  open.push(() => server.closeAllConnections());
  return `https://127.0.0.1:${port}`;
}

/** How each of the panel's own connections takes a server with these keys: the code under which it is shown. */
const clients: Readonly<Record<string, (keys: ServerKeys, trusted: string) => Promise<string>>> = {
  'the link to the broker': async (keys, trusted) => {
    const aedes = await Aedes.createBroker();
    const server = createTlsServer(keys, (socket) => void aedes.handle(socket));
    server.on('tlsClientError', () => {});
    open.push(() => aedes.close());
    const driver = runDriver<BrokerCommand, BrokerFact, ConnectionInput>(
      brokerClient({
        readPassword: async () => null,
        now: () => 1,
        readBundle: async () => trusted,
        messages: createMessageExchange(),
      }),
      {
        generation: 1,
        protocol: 4,
        host: '127.0.0.1',
        port: await listening(server),
        tls: true,
        user: '',
        passwordSet: false,
        passwordMark: null,
        installId: '',
        addressFamily: 'Automatic',
        clientId: 'sconce_test',
        will: { topic: 'will', payload: 'offline', retain: true, qos: 1 },
      },
    );
    open.push(driver.stop);
    const fact = await driver.until(
      (seen): seen is Extract<BrokerFact, { type: 'broker.connected' | 'broker.lost' }> =>
        isFact<BrokerFact, 'broker.connected'>('broker.connected')(seen) ||
        isFact<BrokerFact, 'broker.lost'>('broker.lost')(seen),
    );
    return fact.type === 'broker.connected' ? 'taken' : shownFailure(fact.code);
  },
  'the exchange of a code': async (keys, trusted) => {
    writeFileSync(bundle, trusted);
    const form = { code: 'c', clientId: 'http://panel/', verifier: 'v' };
    const answer = await homeAssistant(systemTrust([bundle])).exchange(await web(keys), form, never);
    // The server grants nothing: an answer that is not understood came over a connection that was taken.
    return answer.ok || answer.code === 'not-understood' ? 'taken' : shownFailure(answer.code);
  },
  'the renewal of a token': async (keys, trusted) => {
    writeFileSync(bundle, trusted);
    const form = { refreshToken: 'r', clientId: 'http://panel/' };
    const answer = await homeAssistant(systemTrust([bundle])).refresh(await web(keys), form, never);
    return answer.ok || answer.code === 'not-understood' ? 'taken' : shownFailure(answer.code);
  },
  'the check of a token': async (keys, trusted) => {
    writeFileSync(bundle, trusted);
    const answer = await homeAssistant(systemTrust([bundle])).check(await web(keys), 't', never);
    return answer.ok ? 'taken' : shownFailure(answer.code);
  },
  'the socket of Home Assistant': async (keys, trusted) => {
    writeFileSync(bundle, trusted);
    const origin = await web(keys);
    const code = await new Promise<string | null>((resolve) => {
      homeAssistant(systemTrust([bundle])).connect({
        origin,
        token: 't',
        liftExpiry: false,
        onUser: () => {},
        onEnd: (_, why) => resolve(why),
      });
    });
    // The server speaks no WebSocket: that is found out over a connection that was taken.
    return code === 'unknown' ? 'taken' : shownFailure(code ?? 'none');
  },
  'the download of a sound': async (keys, trusted) => {
    writeFileSync(bundle, trusted);
    rmSync(sound, { force: true });
    const deps = {
      rules: playerRules.source,
      ownPort: 1,
      homeAssistant: '',
      bounds: DOWNLOAD_BOUNDS,
      bundles: [bundle],
    };
    const fetched = await download(`${await web(keys)}/sound`, sound, deps, never);
    return fetched.ok ? 'taken' : fetched.reason;
  },
};

describe.each(Object.entries(clients))('%s, with a certificate', (_, takes) => {
  it.each([
    ['of a trusted authority', 'taken'],
    ['of one below a trusted authority', 'taken'],
    ['of an unknown authority', 'certificate-untrusted'],
    ['of one below an unknown authority', 'certificate-untrusted'],
    ['of an unknown authority that is sent with it', 'certificate-untrusted'],
    ['that is self-signed', 'certificate-untrusted'],
    ['that has expired', 'certificate-expired'],
    ['that is not valid yet', 'certificate-expired'],
    ['for another name', 'certificate-other-name'],
  ])('%s: %s', async (kind, expected) => {
    const [keys, trusted] = kinds[kind] ?? [];
    if (keys === undefined || trusted === undefined) throw new Error(`no such kind: ${kind}`);
    expect(await takes(keys, trusted.pem)).toBe(expected);
  });
});
