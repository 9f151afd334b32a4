import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import mqtt, { type MqttClient } from 'mqtt';

/** The broker, as Debian installs it. */
export const MOSQUITTO = '/usr/sbin/mosquitto';
/** What writes its file of passwords. */
export const PASSWD = '/usr/bin/mosquitto_passwd';

/** Whether a real broker can run here; a missing one is a failure where the environment requires it. */
export const brokerMissing = ((): string | null => {
  const present = existsSync(MOSQUITTO) && existsSync(PASSWD);
  if (present) return null;
  if ((process.env['SCONCE_REQUIRE'] ?? '').split(',').includes('broker'))
    throw new Error('SCONCE_REQUIRE names broker, but mosquitto is not installed');
  return 'mosquitto is not installed';
})();

/** A free TCP port on loopback. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });

/** Waits until `look` gives something else than undefined, null or false. */
export async function until<T>(what: string, look: () => T | undefined | null | false, withinMs = 8000): Promise<T> {
  const end = Date.now() + withinMs;
  for (;;) {
    const value = look();
    if (value !== undefined && value !== null && value !== false) return value;
    if (Date.now() > end) throw new Error(`not within ${withinMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

/** A broker of our own on loopback. */
export interface Broker {
  readonly port: number;
  readonly start: () => Promise<void>;
  /** SIGKILL: what was retained is forgotten. */
  readonly kill: () => Promise<void>;
  /** Replaces the password and makes the broker read it. */
  readonly setPassword: (user: string, password: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Starts mosquitto; with a password, which every client then needs. */
export async function startBroker(account?: { readonly user: string; readonly password: string }): Promise<Broker> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'sconce-broker-'));
  const passwords = join(folder, 'passwords');
  const write = (user: string, password: string): void => {
    execFileSync(PASSWD, ['-b', '-c', passwords, user, password]);
  };
  if (account) write(account.user, account.password);
  writeFileSync(
    join(folder, 'conf'),
    [
      `listener ${port} 127.0.0.1`,
      'persistence false',
      account ? `allow_anonymous false\npassword_file ${passwords}` : 'allow_anonymous true',
      // Started as root it would otherwise become a user that may not read the folder.
      ...(process.getuid?.() === 0 ? ['user root'] : []),
      '',
    ].join('\n'),
  );
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    child = spawn(MOSQUITTO, ['-c', join(folder, 'conf')], { stdio: 'ignore' });
    const end = Date.now() + 5000;
    while (!(await answers(port))) {
      if (Date.now() > end) throw new Error('mosquitto does not answer');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const kill = async (): Promise<void> => {
    const running = child;
    child = undefined;
    if (!running || running.exitCode !== null) return;
    await new Promise<void>((resolve) => {
      running.once('exit', () => resolve());
      running.kill('SIGKILL');
    });
  };
  await start();
  return {
    port,
    start,
    kill,
    setPassword: async (user, password) => {
      write(user, password);
      child?.kill('SIGHUP');
    },
    close: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Another client on the broker, subscribed to everything. */
export interface Listener {
  readonly client: MqttClient;
  readonly messages: {
    readonly topic: string;
    readonly payload: string;
    readonly retained: boolean;
    readonly at: number;
  }[];
  /** The newest payload of a topic. */
  readonly latest: (topic: string) => string | undefined;
  readonly publish: (topic: string, payload: string, retain?: boolean) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Connects one and waits for its subscription. */
export async function listenTo(
  port: number,
  account?: { readonly user: string; readonly password: string },
): Promise<Listener> {
  const client = await mqtt.connectAsync({
    host: '127.0.0.1',
    port,
    protocolVersion: 5,
    reconnectPeriod: 50,
    ...(account && { username: account.user, password: account.password }),
  });
  client.on('error', () => {});
  const messages: Listener['messages'] = [];
  client.on(
    'message',
    (topic, payload, packet) =>
      void messages.push({ topic, payload: payload.toString('utf8'), retained: packet.retain, at: Date.now() }),
  );
  await client.subscribeAsync('#');
  return {
    client,
    messages,
    latest: (topic) => messages.findLast((message) => message.topic === topic)?.payload,
    publish: async (topic, payload, retain = false) =>
      void (await client.publishAsync(topic, payload, { retain, qos: 1 })),
    close: () => client.endAsync(true),
  };
}
