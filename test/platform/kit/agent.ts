import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StatusDocument } from '#machines/status.ts';
import { freePort } from './ports.ts';
import { selectProfile } from './profile.ts';
import { Program } from './program.ts';
import { until } from './until.ts';

const bundle = fileURLToPath(new URL('../../../dist/sconce.cjs', import.meta.url));

/** Parts of `GET /api/v1/simulator` that tests look at. */
export interface SimulatedHardware {
  readonly screen: { readonly raw: number; readonly rawMax: number; readonly powered: boolean };
  readonly led: { readonly on: boolean; readonly red: number; readonly green: number; readonly blue: number };
  /** True is closed. */
  readonly relays: readonly boolean[];
  /** 0 to 255. */
  readonly buttonBacklight: number;
  readonly buttonLeds: readonly boolean[];
  readonly volume: { readonly percent: number; readonly muted: boolean };
  readonly reboots: number;
}

/** Parts of `GET /api/v1/sensors` that tests look at. */
export interface Sensors {
  /** 0 to 255, 0 while dark, -1 unknown. */
  readonly brightness: number;
  /** 0 to 100, -1 unknown. */
  readonly volume_pct: number;
}

/** What an agent is started with beyond its own data and port. */
export interface LaunchOptions {
  readonly args?: readonly string[];
  /** The document of its profile; that of the simulated panel if left out. */
  readonly profile?: string;
  /** A command that runs the command that follows it. */
  readonly through?: readonly [string, ...string[]];
  /** Whether it announces itself on its network; false if left out. */
  readonly discovers?: boolean;
  /** Added to the environment of the tests; undefined removes. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** The built agent on a simulated panel, in a process of its own with data of its own. */
export class Agent {
  readonly port: number;
  /** Its data folder. */
  readonly data: string;
  #launch: LaunchOptions;
  #program: Program | undefined;
  #earlier = '';

  private constructor(port: number, launch: LaunchOptions) {
    this.port = port;
    this.#launch = launch;
    this.data = mkdtempSync(join(tmpdir(), 'sconce-agent-'));
    if (launch.profile !== undefined) selectProfile(this.data, launch.profile);
  }

  /** Starts an agent on a port, or a free one, and waits until it answers. */
  static async start(launch: LaunchOptions = {}, port?: number): Promise<Agent> {
    const agent = new Agent(port ?? (await freePort()), launch);
    await agent.startAgain();
    return agent;
  }

  /** Starts it after `kill`, with the same data and port, and otherwise as before unless it is told. */
  async startAgain(launch = this.#launch): Promise<void> {
    this.#launch = launch;
    const [command, ...before] = [...(this.#launch.through ?? []), process.execPath] as const;
    const program = new Program(
      command ?? process.execPath,
      [
        ...before,
        bundle,
        'run',
        '--data',
        this.data,
        '--port',
        String(this.port),
        ...(this.#launch.profile === undefined ? ['--profile', 'simulated'] : []),
        ...(this.#launch.discovers === true ? [] : ['--no-discovery']),
        ...(this.#launch.args ?? []),
      ],
      {
        env: { ...process.env, ...this.#launch.env },
      },
    );
    this.#program = program;
    await until('the agent answers', async () => {
      if (!program.runs) throw new Error(`the agent ended: ${program.output}`);
      return (await fetch(this.#url('/health'))).ok;
    });
    // The optional groups are loaded once it listens.
    await until('every group is there', async () =>
      (await this.status()).supervision.children.every(({ phase }) => phase !== 'waiting'),
    );
  }

  #url(path: string): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  /** Whether its process runs. */
  get runs(): boolean {
    return this.#program?.runs === true;
  }

  /** Process id of the running agent. */
  get pid(): number {
    const pid = this.#program?.pid;
    if (pid === undefined) throw new Error('the agent does not run');
    return pid;
  }

  /** Everything it has printed, also before it was last killed. */
  get output(): string {
    return this.#earlier + (this.#program?.output ?? '');
  }

  /** SIGKILL. */
  async kill(): Promise<void> {
    await this.#program?.kill();
    this.#earlier = this.output;
    this.#program = undefined;
  }

  /** Where its pages are, without a slash at the end. */
  get origin(): string {
    return this.#url('');
  }

  /** Body of `GET path`. */
  async text(path: string): Promise<string> {
    return (await fetch(this.#url(path))).text();
  }

  async #json<T>(path: string): Promise<T> {
    // The routes' own tests hold the shape; here it is taken at its word.
    return JSON.parse(await this.text(path)) as T;
  }

  /** Body of `GET path` as bytes. */
  async bytes(path: string): Promise<Buffer> {
    const answer = await fetch(this.#url(path));
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return Buffer.from(await answer.arrayBuffer());
  }

  /** Posts JSON and returns status code and text of the answer. */
  async post(path: string, body: object): Promise<{ readonly code: number; readonly text: string }> {
    const answer = await fetch(this.#url(path), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { code: answer.status, text: await answer.text() };
  }

  /** Saves settings; throws when they are refused. */
  async configure(patch: Readonly<Record<string, string | number | boolean | null>>): Promise<void> {
    const { code, text } = await this.post('/api/v1/config', patch);
    if (code !== 200) throw new Error(`settings refused: ${code} ${text}`);
  }

  /** Touches the simulated hardware, as a person in front of it does. */
  async touch(form: object): Promise<void> {
    const { code, text } = await this.post('/api/v1/simulator', form);
    if (code !== 202) throw new Error(`touch refused: ${code} ${text}`);
  }

  /** Does one thing through the API, such as `volume` 30. */
  async act(a: string, value?: number): Promise<void> {
    const { code, text } = await this.post('/api/v1/action', { a, ...(value !== undefined && { value }) });
    if (code !== 202) throw new Error(`action refused: ${code} ${text}`);
  }

  /** The status document, checked against its schema. */
  async status(): Promise<StatusDocument> {
    return StatusDocument().parse(await this.#json('/api/v1/status'));
  }

  /** What the panel measures. */
  sensors(): Promise<Sensors> {
    return this.#json('/api/v1/sensors');
  }

  /** The simulated hardware itself, past every machine. */
  hardware(): Promise<SimulatedHardware> {
    return this.#json('/api/v1/simulator');
  }

  /** Waits until the link to the broker is in `phase`. */
  async link(phase: NonNullable<StatusDocument['mqtt']>['phase'], withinMs = 30_000): Promise<void> {
    await until(`the link is ${phase}`, async () => (await this.status()).mqtt?.phase === phase, withinMs);
  }

  /** Waits until the publisher is in `phase`. */
  async publishing(phase: NonNullable<StatusDocument['platform']>['phase'], withinMs = 30_000): Promise<void> {
    await until(`the publisher is ${phase}`, async () => (await this.status()).platform?.phase === phase, withinMs);
  }

  /** Ends it and removes its data. */
  async stop(): Promise<void> {
    await this.#program?.end();
    rmSync(this.data, { recursive: true, force: true, maxRetries: 40, retryDelay: 50 });
  }
}
