import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../kit/ports.ts';
import type { Program } from '../kit/program.ts';
import { HomeClient } from './client.ts';
import { type HomeOptions, newFolder, urlOf, writeConfiguration } from './folder.ts';
import { copyOnboarded } from './onboarded.ts';
import { settled } from './onboard.ts';
import { launch } from './process.ts';

/** How much of its log an error says, in characters. */
const LOG_END = 2000;

/** A real Home Assistant on loopback, with an owner and a resident, in the root folder that `install.sh` made. */
export class Home {
  readonly url: string;
  /** Access token of its owner. */
  readonly token: string;
  readonly #folder: string;
  readonly #port: number;
  readonly #through: readonly string[];
  #program: Program | undefined;
  readonly #clients: HomeClient[] = [];

  private constructor(folder: string, port: number, token: string, through: readonly string[]) {
    this.url = urlOf(port);
    this.token = token;
    this.#folder = folder;
    this.#port = port;
    this.#through = through;
  }

  /**
   * Starts one on a free port and waits until all is loaded. It knows the broker on `brokerPort`, or none; `speaks`
   * gives it a voice, and with that all of its demonstration home; `holds` lets its start be held back. `prepare` is
   * called with its configuration folder and port before. `through` is a command that runs the command that follows it.
   */
  static async start(
    brokerPort: number | null,
    options: HomeOptions = {},
    prepare: (folder: string, port: number) => void | Promise<void> = () => {},
    through: readonly string[] = [],
  ): Promise<Home> {
    const [folder, port] = [newFolder(), await freePort()];
    const home = new Home(folder, port, await copyOnboarded(folder, brokerPort), through);
    writeConfiguration(folder, port, options);
    await prepare(folder, port);
    try {
      await home.startAgain();
      const client = await home.client();
      await settled(client, brokerPort !== null);
      client.close();
    } catch (error) {
      const end = home.log.slice(-LOG_END);
      await home.stop();
      throw new Error(`Home Assistant did not start; its log ends with: ${end}`, { cause: error });
    }
    return home;
  }

  /** Everything that it has printed since its last start, with that its log. */
  get log(): string {
    return this.#program?.output ?? '';
  }

  /** A new client, signed in as the owner; ended with this Home Assistant. */
  async client(): Promise<HomeClient> {
    const client = await HomeClient.open(this.url, this.token);
    this.#clients.push(client);
    return client;
  }

  /** SIGKILL. */
  async kill(): Promise<void> {
    for (const client of this.#clients.splice(0)) client.close();
    await this.#program?.kill();
  }

  /** SIGTERM, as systemd and the Supervisor stop it, and waits until it has ended; `startAgain` then starts it. */
  async terminate(): Promise<void> {
    await this.#program?.end();
    for (const client of this.#clients.splice(0)) client.close();
  }

  /** Has it restart by its own service, as its page does, and waits until it has ended; `startAgain` then starts it. */
  async restart(): Promise<void> {
    const client = await this.client();
    // Its connection ends with it, so nothing answers.
    void client.call('call_service', { domain: 'homeassistant', service: 'restart' }).catch(() => undefined);
    await this.#program?.ended();
    for (const open of this.#clients.splice(0)) open.close();
  }

  /** Holds its next start back until `release`: HTTP answers, and it says that it is starting. */
  hold(): void {
    writeFileSync(join(this.#folder, 'hold'), '');
  }

  /** Lets a start that was held back go on. */
  release(): void {
    rmSync(join(this.#folder, 'hold'), { force: true });
  }

  /** SIGSTOP: connections stay open and nothing is answered. */
  freeze(): void {
    this.#program?.freeze();
  }

  /** SIGCONT after `freeze`. */
  thaw(): void {
    this.#program?.thaw();
  }

  /** Starts it after `kill`, with the same data; returns once HTTP answers. */
  async startAgain(): Promise<void> {
    this.#program = await launch(this.#folder, this.#port, this.#through);
  }

  /** Ends it and removes its data. */
  async stop(): Promise<void> {
    // Nothing of it is needed any more, and an orderly end takes seconds.
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
