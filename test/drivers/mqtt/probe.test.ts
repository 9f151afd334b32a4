import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type LookupFunction, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { brokerProbe, type ProbeOptions } from '#drivers/mqtt/probe.ts';
import type { BrokerProbeEvent, ProbeFact, ProbeOutcome, ProbeTarget } from '#machines/broker-probe/events.ts';
import { certificateFaultOf } from '#machines/kit/certificate.ts';
import { certificates, type ServerKeys, type TestAuthority } from '#test/drivers/certificates.ts';
import { isFact, runDriver } from '#test/drivers/run-driver.ts';

const open: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

/** A peer on a free port of the loopback, with what it was sent. */
async function peer(greet: (socket: Socket) => void = () => {}, keys?: ServerKeys & TlsOptions) {
  const heard: Buffer[] = [];
  const sockets = new Set<Socket>();
  const closed: Promise<void>[] = [];
  const waiting: (() => void)[] = [];
  const take = (socket: Socket): void => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => void heard.push(bytes));
    greet(socket);
  };
  const server: Server = keys ? createTlsServer(keys, take) : createServer(take);
  server.on('tlsClientError', () => {});
  server.on('connection', (socket) => {
    sockets.add(socket);
    closed.push(new Promise((resolve) => void socket.once('close', () => resolve())));
    for (const wake of waiting.splice(0)) wake();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()));
  const address = server.address();
  open.push(
    () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  );
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    heard,
    connections: () => sockets.size,
    connected: () =>
      sockets.size > 0 ? Promise.resolve() : new Promise<void>((resolve) => void waiting.push(resolve)),
    allClosed: () => Promise.all(closed),
  };
}

const target = (change: Partial<ProbeTarget> & { readonly port: number }): ProbeTarget => ({
  host: '127.0.0.1',
  tls: false,
  addressFamily: 'Automatic',
  isSaved: true,
  ...change,
});

function start(logic: ReturnType<typeof brokerProbe>, to: ProbeTarget) {
  const driver = runDriver<BrokerProbeEvent, ProbeFact, ProbeTarget>(logic, to);
  open.push(driver.stop);
  return driver;
}

async function probe(
  to: Partial<ProbeTarget> & { readonly port: number },
  options: ProbeOptions = {},
): Promise<ProbeOutcome> {
  const driver = start(brokerProbe(options), target(to));
  const { outcome } = await driver.until(isFact<ProbeFact, 'probe.ended'>('probe.ended'));
  expect([driver.facts.length, driver.crashed()]).toEqual([1, undefined]);
  return outcome;
}

const failed = (error: string, code: string) => ({ status: 'failed', error, code });
const here = { status: 'answered', address: '127.0.0.1' };
/** A resolver that never answers. */
const mute: LookupFunction = () => {};

/** CONNACK of MQTT 3.1.1 and of MQTT 5, each with a reason. */
const connack = (reason: number): Buffer => Buffer.from([0x20, 2, 0, reason]);
const connack5 = (reason: number): Buffer => Buffer.from([0x20, 3, 0, reason, 0]);
/** A broker that answers the first bytes it gets. */
const broker = (socket: Socket): void => void socket.once('data', () => socket.write(connack(0)));
const connect = Buffer.from([0x10, 12, 0, 4, ...Buffer.from('MQTT'), 4, 0b10, 0, 10, 0, 0]);
const disconnect = Buffer.from([0xe0, 0]);

describe('brokerProbe', () => {
  it('knows a broker by its answer to CONNECT without credentials, and says that it leaves', async () => {
    const { port, heard, connected, allClosed } = await peer(broker);
    expect(await probe({ port })).toEqual(here);
    await connected();
    await allClosed();
    expect(Buffer.concat(heard)).toEqual(Buffer.concat([connect, disconnect]));
  });

  it.each([
    ['accepted', connack(0)],
    ['of another version', connack(1)],
    ['that wants a client id', connack(2)],
    ['that wants a password', connack(5)],
    ['of MQTT 5', connack5(0x87)],
    ['in a resumed session', Buffer.from([0x20, 2, 1, 0])],
  ])('knows a broker by an answer %s', async (_, answer) => {
    const { port } = await peer((socket) => void socket.once('data', () => socket.write(answer)));
    expect(await probe({ port })).toEqual(here);
  });

  it('puts an answer together that comes byte by byte', async () => {
    const { port } = await peer((socket) => {
      const bytes = [...connack(0)];
      const next = (): void => {
        const byte = bytes.shift();
        if (byte !== undefined) socket.write(Buffer.from([byte]), () => setImmediate(next));
      };
      socket.setNoDelay(true).once('data', next);
    });
    expect(await probe({ port })).toEqual(here);
  });

  it.each([
    ['a web server', 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'],
    ['a remote shell', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['a packet of another type', Buffer.from([0x30, 2, 0, 0])],
    ['a packet that is too short', Buffer.from([0x20, 1, 0])],
    ['a packet with flags that are none', Buffer.from([0x20, 2, 0x20, 0])],
  ])('says that %s is no broker', async (_, answer) => {
    const { port } = await peer((socket) => void socket.end(answer));
    expect(await probe({ port })).toEqual(failed('not-a-broker', 'other-answer'));
  });

  it('says that what closes without an answer is no broker', async () => {
    const { port } = await peer((socket) => void socket.once('data', () => socket.end()));
    expect(await probe({ port })).toEqual(failed('not-a-broker', 'closed'));
  });

  it('resolves a name as the system does, by the address family that was chosen', async () => {
    const { port } = await peer(broker);
    for (const addressFamily of ['Automatic', 'Prefer IPv4', 'Force IPv4'] as const)
      expect(await probe({ host: 'localhost', port, addressFamily })).toEqual(here);
  });

  it('does not connect to the panel itself or its link, unless it is the broker in the settings', async () => {
    const { port, connections } = await peer(broker);
    const local = failed('local-address', 'local-address');
    const hosts = ['127.0.0.1', '127.1', 'localhost', '::1', '::ffff:127.0.0.1', '0.0.0.0', '169.254.1.1', 'fe80::1'];
    for (const host of hosts)
      for (const tls of [false, true]) expect(await probe({ host, port, tls, isSaved: false }), host).toEqual(local);
    const answers: LookupFunction = (_host, options, callback) =>
      options.all === true ? callback(null, [{ address: '::1', family: 6 }]) : callback(null, '127.0.0.1', 4);
    for (const addressFamily of ['Automatic', 'Force IPv4'] as const) {
      const to = { host: 'broker.test', port, addressFamily, isSaved: false };
      expect(await probe(to, { lookup: answers })).toEqual(local);
    }
    expect(connections()).toBe(0);
    expect(await probe({ host: 'localhost', port })).toEqual(here);
  });

  it('says that nothing listens', async () => {
    const { port } = await peer();
    await open.pop()?.();
    expect(await probe({ port })).toEqual(failed('unreachable', 'ECONNREFUSED'));
  });

  it('waits for a silent peer no longer than its bound, and reads no more than it judges of one that never ends', async () => {
    expect(await probe({ port: (await peer()).port }, { probeMs: 200 })).toEqual(failed('not-a-broker', 'timeout'));
    const endless = await peer((socket) => {
      const more = (): void => {
        while (!socket.destroyed && socket.write(Buffer.alloc(65_536, 0x30)));
      };
      socket.on('drain', more);
      more();
    });
    expect(await probe({ port: endless.port })).toEqual(failed('not-a-broker', 'other-answer'));
    await endless.connected();
    await endless.allClosed();
  });

  it('says that a name is not known', async () => {
    expect(await probe({ host: 'nothing.invalid', port: 9 })).toMatchObject({
      status: 'failed',
      error: 'unresolvable',
    });
  });

  it('does not wait longer than its bound for a name', async () => {
    expect(await probe({ host: 'slow.test', port: 9 }, { lookup: mute, resolveMs: 20 })).toEqual(
      failed('unresolvable', 'timeout'),
    );
  });

  it('asks for one name at a time, and of those that wait for the last alone', async () => {
    const asked: string[] = [];
    const pending: (() => void)[] = [];
    const { port } = await peer(broker);
    const logic = brokerProbe({
      lookup: (host, _options, callback) => {
        asked.push(host);
        pending.push(() => callback(null, [{ address: '127.0.0.1', family: 4 }]));
      },
    });
    start(logic, target({ host: 'one.test', port })).stop();
    start(logic, target({ host: 'two.test', port })).stop();
    const last = start(logic, target({ host: 'three.test', port }));
    expect(asked).toEqual(['one.test']);
    pending.shift()?.();
    expect(asked).toEqual(['one.test', 'three.test']);
    pending.shift()?.();
    expect((await last.until(isFact<ProbeFact, 'probe.ended'>('probe.ended'))).outcome).toEqual(here);
  });

  it('cuts the connection when it is stopped, and says no more', async () => {
    const { port, connected, allClosed } = await peer();
    // It waits for a handshake that never comes.
    const driver = start(brokerProbe(), target({ port, tls: true }));
    await connected();
    driver.stop();
    await allClosed();
    expect([driver.facts, driver.crashed()]).toEqual([[], undefined]);
  });
});

describe('brokerProbe over TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-probe-'));
  let authority: TestAuthority;
  let keys: ServerKeys;
  const readBundle = async (): Promise<string> => authority.pem;
  beforeAll(() => {
    authority = certificates(folder).authority('authority');
    keys = authority.issue('broker', { altNames: 'IP:127.0.0.1' });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('answers where the certificate is trusted', async () => {
    const { port, heard, connected, allClosed } = await peer(broker, keys);
    expect(await probe({ port, tls: true }, { readBundle })).toEqual(here);
    await connected();
    await allClosed();
    expect(Buffer.concat(heard)).toEqual(Buffer.concat([connect, disconnect]));
  });

  it('refuses the certificates that the link refuses', async () => {
    const { port, heard } = await peer(broker, keys);
    const stranger = await probe({ port, tls: true });
    expect(stranger).toMatchObject({ status: 'failed', error: 'unreachable' });
    expect(stranger.status === 'failed' && certificateFaultOf(stranger.code)).toBe('certificate-untrusted');
    expect(await probe({ host: 'localhost', port, tls: true }, { readBundle })).toEqual(
      failed('unreachable', 'ERR_TLS_CERT_ALTNAME_INVALID'),
    );
    expect(heard).toEqual([]);
  });

  it.each([
    ['after the handshake', 'TLSv1.3', 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'],
    ['in the handshake', 'TLSv1.2', 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE'],
  ] as const)('says %s that a broker refuses a client without a certificate', async (_, maxVersion, code) => {
    const { port } = await peer(broker, { ...keys, requestCert: true, rejectUnauthorized: true, maxVersion });
    expect(await probe({ port, tls: true }, { readBundle })).toEqual(failed('unreachable', code));
  });

  it('says that a peer speaks something else, or nothing', async () => {
    const endless = await peer((socket) => void socket.write(Buffer.alloc(1 << 20, 0x30)));
    const spoken = await probe({ port: endless.port, tls: true });
    expect(spoken).toMatchObject({ status: 'failed', error: 'unreachable' });
    expect(spoken.status === 'failed' && spoken.code).toMatch(/^(ERR_SSL_|EPROTO)/);
    expect(await probe({ port: (await peer()).port, tls: true }, { readBundle, probeMs: 400 })).toEqual(
      failed('unreachable', 'handshake-timeout'),
    );
  });
});
