import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectTcp } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { connectAsync, type MqttClient } from 'mqtt';
import { freePort } from './ports.ts';
import { Program } from './program.ts';
import { until } from './until.ts';

// On Debian the broker lives where an ordinary user's PATH does not look.
const env = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin` };

/** The panels' password, which appears nowhere else, so that finding it anywhere is a leak. */
export const marker = 'Marker-7f3a19c4d2e8';

/** Who may connect: panels, Home Assistant, and the tests themselves, so that the broker's log tells them apart. */
export const passwords = { panel: marker, home: 'home-password', observer: 'observer-password' } as const;

/** One of those who may connect. */
export type BrokerUser = keyof typeof passwords;

/** A message as the test saw it. */
export interface SeenMessage {
  readonly topic: string;
  readonly payload: string;
  readonly retained: boolean;
  /** On the clock of `performance.now()`. */
  readonly at: number;
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connectTcp(port, '127.0.0.1');
    socket.once('connect', () => (socket.destroy(), resolve(true)));
    socket.once('error', () => resolve(false));
  });

/** Address of a broker for a client's settings. */
export const brokerUrl = (port: number): string => `mqtt://127.0.0.1:${port}`;

/** A client subscribed to everything, including retained messages; it reconnects by itself. */
export async function observe(
  port: number,
): Promise<{ readonly seen: readonly SeenMessage[]; readonly client: MqttClient }> {
  const client = await connectAsync(brokerUrl(port), {
    username: 'observer',
    password: passwords.observer,
    reconnectPeriod: 200,
  });
  const seen: SeenMessage[] = [];
  client.on('error', () => undefined);
  client.on('message', (topic, payload, packet) => {
    seen.push({ topic, payload: payload.toString(), retained: packet.retain, at: performance.now() });
  });
  await client.subscribeAsync('#');
  return { seen, client };
}

/** A real Mosquitto on loopback that wants a password. */
export class Broker {
  readonly port: number;
  readonly #folder: string;
  #program: Program | undefined;

  private constructor(port: number, more: readonly string[]) {
    this.port = port;
    this.#folder = mkdtempSync(join(tmpdir(), 'sconce-broker-'));
    const file = join(this.#folder, 'passwords');
    writeFileSync(file, '', { mode: 0o600 });
    for (const [user, password] of Object.entries(passwords))
      execFileSync('mosquitto_passwd', ['-b', file, user, password], { env, stdio: 'ignore' });
    mkdirSync(join(this.#folder, 'store'));
    const lines = [
      `listener ${port} 127.0.0.1`,
      'allow_anonymous false',
      `password_file ${file}`,
      'persistence true',
      `persistence_location ${this.#folder}/store/`,
      'log_dest stderr',
      'log_type error',
      'log_type warning',
      'log_type notice',
      ...(userInfo().uid === 0 ? ['user root'] : []),
      ...more,
    ];
    writeFileSync(join(this.#folder, 'mosquitto.conf'), `${lines.join('\n')}\n`);
  }

  /** Starts a broker on a free port; `more` are lines of its configuration. */
  static async start(more: readonly string[] = []): Promise<Broker> {
    const broker = new Broker(await freePort(), more);
    await broker.startAgain();
    return broker;
  }

  /** Starts it after `kill`, on the same port. */
  async startAgain(): Promise<void> {
    const program = new Program('mosquitto', ['-c', join(this.#folder, 'mosquitto.conf')], { env });
    this.#program = program;
    await until('the broker answers', () => answers(this.port));
    if (!program.runs) throw new Error(`Mosquitto ended: ${program.output}`);
  }

  /** Gives `user` another password, which is taken at the next start. */
  setPassword(user: BrokerUser, password: string): void {
    const file = join(this.#folder, 'passwords');
    execFileSync('mosquitto_passwd', ['-b', file, user, password], { env, stdio: 'ignore' });
  }

  /** SIGKILL: what was retained since its last save is lost. */
  async kill(): Promise<void> {
    await this.#program?.kill();
  }

  /** SIGSTOP: connections stay open, and nothing is passed on. */
  freeze(): void {
    this.#program?.freeze();
  }

  /** SIGCONT after `freeze`. */
  thaw(): void {
    this.#program?.thaw();
  }

  /**
   * When `user` last connected since `since` (clock of `performance.now()`), as the broker's log says; undefined for
   * not yet.
   */
  connectedAt(user: BrokerUser, since: number): number | undefined {
    return this.#program?.printedAt(new RegExp(`New client connected .*u'${user}'`), since);
  }

  /** Publishes with the command-line client, as a person would: `mosquitto_pub`. */
  publish(topic: string, payload: string, options: { readonly retain: boolean }): void {
    execFileSync(
      'mosquitto_pub',
      [
        '-h',
        '127.0.0.1',
        '-p',
        String(this.port),
        '-u',
        'observer',
        '-P',
        passwords.observer,
        ...(options.retain ? ['-r'] : []),
        '-t',
        topic,
        '-m',
        payload,
      ],
      { env },
    );
  }

  /** Ends the broker and removes its folder. */
  async stop(): Promise<void> {
    await this.#program?.end();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
