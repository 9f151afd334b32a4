import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';

import { Aedes } from 'aedes';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createActor, setup } from 'xstate';

import { brokerClient, type ClientDeps } from '#drivers/mqtt/client.ts';
import { createMessageExchange } from '#drivers/mqtt/message-exchange.ts';
import { passwordMark } from '#drivers/mqtt/password-mark.ts';
import type { BrokerCommand, BrokerFact, ConnectionInput, IncomingMessage } from '#machines/mqtt/events.ts';
import { until } from '#test/broker/mosquitto.ts';

const open: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });

/** A 3.1.1 broker in this process, over TLS when it gets a key. */
async function startAedes(keys?: { readonly key: string; readonly cert: string }) {
  const aedes = await Aedes.createBroker();
  const server: Server = keys
    ? createTlsServer(keys, (socket) => void aedes.handle(socket))
    : createServer((socket) => void aedes.handle(socket));
  server.on('tlsClientError', () => {});
  const port = await listen(server);
  open.push(
    () =>
      new Promise<void>((resolve) => {
        aedes.close(() => server.close(() => resolve()));
      }),
  );
  return { aedes, port };
}

const INSTALL = 'a'.repeat(32);

function run(input: Partial<ConnectionInput> & { readonly port: number }, deps: Partial<ClientDeps> = {}) {
  const facts: BrokerFact[] = [];
  const messages = createMessageExchange();
  const heard: IncomingMessage[] = [];
  messages.listen((message) => void heard.push(message));
  let crash: unknown;
  const whole: ConnectionInput = {
    generation: 7,
    protocol: 4,
    host: '127.0.0.1',
    tls: false,
    user: '',
    passwordSet: false,
    passwordMark: null,
    installId: INSTALL,
    addressFamily: 'Automatic',
    clientId: 'sconce_test',
    will: { topic: 'will', payload: 'offline', retain: true, qos: 1 },
    ...input,
  };
  const parent = createActor(
    setup({
      actors: { driver: brokerClient({ readPassword: async () => null, now: () => 5, messages, ...deps }) },
    }).createMachine({
      invoke: {
        id: 'driver',
        src: 'driver',
        input: () => whole,
        onError: { actions: ({ event }) => void (crash = event.error) },
      },
      // Everything that reaches this parent was sent by the driver under test.
      on: { '*': { actions: ({ event }) => void facts.push(event as unknown as BrokerFact) } },
    }),
  ).start();
  open.push(() => void parent.stop());
  return {
    facts,
    messages,
    heard,
    crash: () => crash,
    tell: (command: BrokerCommand) => parent.getSnapshot().children.driver?.send(command),
    stop: () => parent.stop(),
    next: <T extends BrokerFact['type']>(type: T) =>
      until(type, () => facts.find((fact): fact is Extract<BrokerFact, { type: T }> => fact.type === type)),
  };
}

describe('brokerClient', () => {
  it('connects, hears what it subscribed to, and drops what is too large', async () => {
    const { aedes, port } = await startAedes();
    const driver = run({ port });
    expect(await driver.next('broker.connected')).toEqual({
      type: 'broker.connected',
      generation: 7,
      protocol: 4,
      at: 5,
    });
    driver.messages.subscribeTo({ topics: ['in/#'] });
    await new Promise<void>((resolve) => aedes.once('subscribe', () => resolve()));
    const put = (topic: string, payload: string | Buffer): void =>
      aedes.publish({ cmd: 'publish', topic, payload, qos: 0, retain: false, dup: false }, () => {});
    put('in/large', Buffer.alloc(64 * 1024 + 1));
    put(`in/${'x'.repeat(600)}`, 'long topic');
    put('in/ok', 'grüße');
    await until('a message', () => driver.heard.length > 0);
    expect(driver.heard).toEqual([{ topic: 'in/ok', payload: 'grüße', retained: false }]);
    expect(driver.facts.map(({ type }) => type)).toEqual(['broker.connected']);
  });

  it('leaves with its last words and without its will', async () => {
    const { aedes, port } = await startAedes();
    const said: string[] = [];
    aedes.on('publish', (packet) => void said.push(`${packet.topic} ${packet.payload.toString()}`));
    const driver = run({ port });
    await driver.next('broker.connected');
    driver.tell({ type: 'mqtt.leave', messages: [{ topic: 'bye', payload: 'offline', retain: true, qos: 1 }] });
    driver.messages.publish([{ topic: 'after', payload: 'x', retain: false, qos: 0 }]);
    await driver.next('broker.ended');
    expect(said).toContain('bye offline');
    expect(said).not.toContain('after x');
    expect(said.some((line) => line.startsWith('will'))).toBe(false);
    expect(driver.facts.some(({ type }) => type === 'broker.lost')).toBe(false);
  });

  it('lets the will speak when it is stopped in the middle', async () => {
    const { aedes, port } = await startAedes();
    const will = new Promise<string>((resolve) =>
      aedes.on('publish', (packet) => void (packet.topic === 'will' && resolve(packet.payload.toString()))),
    );
    const driver = run({ port });
    await driver.next('broker.connected');
    driver.stop();
    expect(await will).toBe('offline');
  });

  it('says with which reason of MQTT 5 the broker ended it: another client came with the same id', async () => {
    const [connack, takenOver] = [Buffer.from('2003000000', 'hex'), Buffer.from('e0018e', 'hex')];
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => {
        socket.write(connack);
        setImmediate(() => socket.end(takenOver));
      });
    });
    const port = await listen(server);
    open.push(() => new Promise<void>((resolve) => void server.close(() => resolve())));
    const driver = run({ port, protocol: 5 });
    await driver.next('broker.connected');
    expect(await driver.next('broker.lost')).toMatchObject({ code: 'disconnected-142' });
  });

  it('says how an attempt failed, by code alone', async () => {
    const { aedes, port } = await startAedes();
    aedes.authenticate = (_, user, password, done) =>
      done(
        user === 'panel' && password?.toString() === 'right-horse'
          ? null
          : Object.assign(new Error('no'), { returnCode: 5 }),
        user === 'panel',
      );
    const wrong = run(
      { port, user: 'panel', passwordSet: true, passwordMark: passwordMark('wrong-horse', INSTALL) },
      { readPassword: async () => 'wrong-horse' },
    );
    expect(await wrong.next('broker.refused')).toEqual({
      type: 'broker.refused',
      generation: 7,
      reason: 'credentials',
      code: 'credentials',
      at: expect.any(Number),
    });
    const right = run(
      {
        port,
        user: 'panel',
        passwordSet: true,
        passwordMark: passwordMark('right-horse', INSTALL),
        clientId: 'b',
      },
      { readPassword: async () => 'right-horse' },
    );
    await right.next('broker.connected');
    const newer = run({ port, protocol: 5, clientId: 'c' });
    expect(await newer.next('broker.refused')).toMatchObject({ reason: 'protocol' });
    const silent = run(
      { port, passwordSet: true, clientId: 'd' },
      { readPassword: () => Promise.reject(new Error('store')) },
    );
    expect(await silent.next('broker.lost')).toMatchObject({ code: 'password-unreadable' });
    const nobody = run({ port: 1 });
    expect(await nobody.next('broker.lost')).toMatchObject({ code: 'ECONNREFUSED' });
    expect(JSON.stringify([wrong.facts, nobody.facts, newer.facts])).not.toMatch(/horse|127\.0\.0\.1/);
    for (const driver of [wrong, right, newer, silent, nobody]) expect(driver.crash()).toBeUndefined();
  });

  it.each([
    ['another one', 'new-horse'],
    ['none', null],
  ])('sends no password but the one that was released: by now it is %s', async (_, password) => {
    const taken: unknown[] = [];
    const server = createServer((socket) => void taken.push(socket));
    const port = await listen(server);
    open.push(() => new Promise<void>((resolve) => void server.close(() => resolve())));
    const driver = run(
      { port, user: 'panel', passwordSet: true, passwordMark: passwordMark('old-horse', INSTALL) },
      { readPassword: async () => password },
    );
    expect(await driver.next('broker.lost')).toEqual({
      type: 'broker.lost',
      generation: 7,
      code: 'password-changed',
      at: expect.any(Number),
    });
    expect([taken, driver.facts.length, driver.crash()]).toEqual([[], 1, undefined]);
  });

  it('says that a peer closed without an answer', async () => {
    const server = createServer((socket) => void socket.destroy());
    const port = await listen(server);
    open.push(() => new Promise<void>((resolve) => void server.close(() => resolve())));
    const driver = run({ port });
    expect(await driver.next('broker.lost')).toMatchObject({ code: 'closed-unanswered' });
  });
});

describe('brokerClient over TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-tls-'));
  const at = (name: string): string => join(folder, name);
  const certify = (name: string, subject: string): { readonly key: string; readonly cert: string } => {
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:P-256',
        '-nodes',
        '-days',
        '1',
        '-subj',
        '/CN=test',
        '-addext',
        `subjectAltName=${subject}`,
        '-keyout',
        at(`${name}.key`),
        '-out',
        at(`${name}.crt`),
      ],
      { stdio: 'ignore' },
    );
    return { key: readFileSync(at(`${name}.key`), 'utf8'), cert: readFileSync(at(`${name}.crt`), 'utf8') };
  };
  let good: ReturnType<typeof certify>;
  let other: ReturnType<typeof certify>;
  beforeAll(() => {
    good = certify('good', 'IP:127.0.0.1');
    other = certify('other', 'DNS:elsewhere.test');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('trusts what the bundle holds, and refuses a stranger and a wrong name', async () => {
    const { port } = await startAedes(good);
    await run({ port, tls: true }, { readBundle: async () => good.cert }).next('broker.connected');
    const stranger = run({ port, tls: true, clientId: 'b' }, { readBundle: async () => other.cert });
    expect((await stranger.next('broker.lost')).code).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
    const misnamed = await startAedes(other);
    const wrong = run({ port: misnamed.port, tls: true, clientId: 'c' }, { readBundle: async () => other.cert });
    expect((await wrong.next('broker.lost')).code).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
  });
});
