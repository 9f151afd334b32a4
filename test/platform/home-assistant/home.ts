import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../kit/ports.ts';
import { Program } from '../kit/program.ts';
import { until } from '../kit/until.ts';
import { HomeClient } from './client.ts';
import { addBroker, answering, makeOwner, settled, type BrokerEntry } from './onboard.ts';

const cache =
  process.env['SCONCE_TEST_CACHE'] ?? join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'sconce-test');
const root = join(cache, 'root-forky');
const venv = '/srv/venv-2026.11.0';

const configuration = `homeassistant:
  name: Test home
  latitude: 52.0
  longitude: 5.0
  elevation: 5
  unit_system: metric
  currency: EUR
  country: NL
  time_zone: Europe/Amsterdam
frontend:
api:
config:
logger:
  default: warning
`;

// All of onboarding but the owner is answered here: its other steps add entries that look for the internet.
const onboarding = {
  version: 4,
  minor_version: 1,
  key: 'onboarding',
  data: { done: ['core_config', 'analytics', 'integration'] },
};

// Not `http:` in YAML: Home Assistant only tries that, and after 5 minutes unconfirmed goes back to port 8123 and
// exits.
const http = (port: number) => ({
  version: 3,
  minor_version: 1,
  key: 'http',
  data: {
    pending: null,
    yaml_migration_done: true,
    stable: {
      server_host: ['127.0.0.1'],
      server_port: port,
      cors_allowed_origins: ['https://cast.home-assistant.io'],
      login_attempts_threshold: -1,
      ip_ban_enabled: true,
      ssl_profile: 'intermediate_v6',
      use_x_frame_options: true,
      created_at: '2026-11-01T00:00:00+00:00',
      error: null,
      error_message: null,
    },
  },
});

const proxies = ['http_proxy', 'https_proxy', 'no_proxy'].flatMap((name) => {
  const value = process.env[name] ?? process.env[name.toUpperCase()];
  return value === undefined ? [] : [`${name}=${value}`];
});

/** What a Home Assistant is given beyond its broker. */
export interface HomeOptions {
  /** Added to its YAML; gets its own address. */
  readonly more?: (url: string) => string;
  /** A script of the owner's that every page of its frontend loads. */
  readonly script?: string;
}

/** A real Home Assistant on loopback with an MQTT entry, in the root folder that `install.sh` made. */
export class Home {
  readonly url: string;
  readonly #folder: string;
  #program: Program | undefined;
  #token = '';
  readonly #clients: HomeClient[] = [];

  private constructor(port: number, { more = () => '', script }: HomeOptions) {
    if (!existsSync(join(root, venv, '.complete')))
      throw new Error(`Home Assistant is not installed: test/platform/home-assistant/install.sh ${cache}`);
    this.url = `http://127.0.0.1:${port}`;
    this.#folder = mkdtempSync(join(root, 'srv/runs/'));
    mkdirSync(join(this.#folder, '.storage'));
    const yaml =
      script === undefined
        ? configuration
        : configuration.replace('frontend:\n', 'frontend:\n  extra_module_url: /local/script.js\n');
    writeFileSync(join(this.#folder, 'configuration.yaml'), `${yaml}${more(this.url)}`);
    if (script !== undefined) {
      mkdirSync(join(this.#folder, 'www'));
      writeFileSync(join(this.#folder, 'www/script.js'), script);
    }
    writeFileSync(join(this.#folder, '.storage/onboarding'), JSON.stringify(onboarding));
    writeFileSync(join(this.#folder, '.storage/http'), JSON.stringify(http(port)));
  }

  /** Starts a fresh Home Assistant on a free port; it knows `broker`, or none. */
  static async start(broker: BrokerEntry | null, options: HomeOptions = {}): Promise<Home> {
    const home = new Home(await freePort(), options);
    await home.#launch();
    home.#token = await makeOwner(home.url);
    const client = await HomeClient.open(home.url, home.#token);
    try {
      if (broker !== null) await addBroker(client, broker);
      await settled(client, broker !== null);
    } finally {
      client.close();
    }
    return home;
  }

  async #launch(): Promise<void> {
    const inside = this.#folder.slice(root.length);
    const { uid, gid } = userInfo();
    const entry = uid === 0 ? ['chroot', root] : ['sudo', '-n', 'chroot', `--userspec=${uid}:${gid}`, root];
    const env = [
      'HOME=/srv',
      'PATH=/usr/bin:/bin',
      'LANG=C.UTF-8',
      'PYTHONDONTWRITEBYTECODE=1',
      'SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt',
      ...proxies,
    ];
    const script = `echo $$ > ${inside}/pid.new && mv ${inside}/pid.new ${inside}/pid && exec ${venv}/bin/hass -c ${inside} --log-no-color`;
    const pidFile = join(this.#folder, 'pid');
    rmSync(pidFile, { force: true });
    const program = new Program('/usr/bin/env', [...entry, '/usr/bin/env', '-i', ...env, '/bin/sh', '-c', script], {
      env: { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin` },
    });
    this.#program = program;
    program.answersTo(
      Number(await until('Home Assistant has a process', () => existsSync(pidFile) && readFileSync(pidFile, 'utf8'))),
    );
    await answering(this.url, () => program.runs);
  }

  /** What it has printed since it was last started. */
  get output(): string {
    return this.#program?.output ?? '';
  }

  /** A new signed-in client; ended with this Home Assistant. */
  async client(): Promise<HomeClient> {
    const client = await HomeClient.open(this.url, this.#token);
    this.#clients.push(client);
    return client;
  }

  /** SIGKILL. */
  async kill(): Promise<void> {
    for (const client of this.#clients.splice(0)) client.close();
    await this.#program?.kill();
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
  startAgain(): Promise<void> {
    return this.#launch();
  }

  /** Ends it and removes its data. */
  async stop(): Promise<void> {
    for (const client of this.#clients.splice(0)) client.close();
    // Nothing of it is needed any more, and an orderly end takes seconds.
    await this.#program?.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
