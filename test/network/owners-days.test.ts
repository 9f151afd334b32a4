import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { StatusDocument } from '#machines/status.ts';
import { brokerMissing, MOSQUITTO, until } from '#test/broker/mosquitto.ts';

import { advert, callerOn, configureBroker } from './house.ts';
import { type Lan, type Machine, makeLan, type Program } from './lan.ts';
import { whyNoNamespaces } from './routed.ts';

const bundle = fileURLToPath(new URL('../../dist/sconce.cjs', import.meta.url));
const besides = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const missing =
  whyNoNamespaces() ?? brokerMissing ?? (existsSync(bundle) ? null : 'the agent is not built (npm run build)');

const PORT = 8888;
const USER = 'panel';
const PASSWORD = 'marker-mqtt-55d0';
const withinMs = { timeout: 20_000, interval: 200 };
const connected = { phase: 'connected', confirm: null };

describe('a broker that stays the owner’s, with a real one', () => {
  const folders: string[] = [];
  const newFolder = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'sconce-days-'));
    folders.push(folder);
    return folder;
  };
  let lan: Lan | undefined;
  beforeAll(async () => {
    if (missing === null) lan = await makeLan(3);
  }, 20_000);
  afterAll(async () => {
    await lan?.remove();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  const settle = () => {
    const [panel, home, other] = lan?.machines ?? [];
    if (panel === undefined || home === undefined || other === undefined) throw new Error('no network');
    const started: Program[] = [];
    onTestFinished(async () => {
      await Promise.all(started.map((program) => program.kill()));
    });
    const start = (machine: Machine, ...command: readonly string[]): Program => {
      const program = machine.start(...command);
      started.push(program);
      return program;
    };
    const folder = newFolder();
    const config = configureBroker(folder, USER, PASSWORD);
    const call = callerOn(panel, besides('caller.mjs'), PORT, '127.0.0.1');
    return {
      folder,
      panel,
      home,
      other,
      start,
      call,
      broker: (machine: Machine) => start(machine, MOSQUITTO, '-c', config),
      announce: async (machine: Machine) => {
        const how = { address: machine.address, advertises: advert('ha', machine.address) };
        const announcer = start(machine, process.execPath, besides('neighbour.mjs'), JSON.stringify(how));
        await until('the announcement', () => announcer.printed().startsWith('ready') || undefined);
      },
      agent: (...args: readonly string[]): readonly string[] => [
        process.execPath,
        bundle,
        'run',
        '--profile',
        'simulated',
        '--data',
        folder,
        '--port',
        String(PORT),
        ...args,
      ],
      link: async () => {
        const { status, text } = await call('/api/v1/status');
        return status === 200 ? StatusDocument().parse(JSON.parse(text)).mqtt : null;
      },
    };
  };

  it('is found, restarted and found again without a question', { timeout: 60_000 }, async ({ skip }) => {
    if (missing !== null) skip(`skipped: ${missing}`);
    const { home, panel, start, agent, broker, announce, call, link } = settle();
    const first = broker(home);
    await announce(home);
    start(panel, ...agent());
    await expect.poll(link, withinMs).toMatchObject({ phase: 'auth_failed', source: 'found' });
    await call('/api/v1/config', { mqtt_user: USER, mqtt_password: PASSWORD });
    await expect.poll(link, withinMs).toMatchObject(connected);
    await first.kill();
    await expect.poll(link, withinMs).not.toMatchObject({ phase: 'connected' });
    broker(home);
    await expect.poll(link, withinMs).toMatchObject(connected);
  });

  it('gets another address under its name, and the password file stays', { timeout: 60_000 }, async ({ skip }) => {
    if (missing !== null) skip(`skipped: ${missing}`);
    const { folder, home, other, panel, start, agent, broker, link } = settle();
    const hosts = join(folder, 'hosts');
    const lease = (address: string): void => writeFileSync(hosts, `127.0.0.1 localhost\n${address} broker.lan\n`);
    const file = join(folder, 'pass');
    writeFileSync(file, `${PASSWORD}\n`, { mode: 0o600 });
    const first = broker(home);
    lease(home.address);
    // It resolves names by a file of its own: what a router's DHCP and DNS do.
    const mounted = ['unshare', '--mount', 'sh', '-c', 'mount --bind "$0" /etc/hosts && exec "$@"', hosts] as const;
    start(panel, ...mounted, ...agent('--mqtt-broker', 'broker.lan', '--mqtt-user', USER, '--mqtt-pass-file', file));
    await expect.poll(link, withinMs).toMatchObject({ ...connected, source: 'configured' });
    await first.kill();
    broker(other);
    lease(other.address);
    await expect.poll(link, withinMs).not.toMatchObject({ phase: 'connected' });
    await expect.poll(link, withinMs).toMatchObject(connected);
  });

  it('is known to a panel of the version before, which says so once', { timeout: 60_000 }, async ({ skip }) => {
    if (missing !== null) skip(`skipped: ${missing}`);
    const { folder, home, panel, start, agent, broker, announce, call, link } = settle();
    const binding = { kind: 'bound', broker: { name: 'ha.local', address: home.address, port: 1883 } };
    const sections = {
      settings: { revision: 2, values: { mqtt_user: USER } },
      secrets: { mqtt_password: PASSWORD },
      broker: { version: 1, password: 'mark', binding },
    };
    writeFileSync(join(folder, 'state.json'), JSON.stringify({ version: 1, sections }), { mode: 0o600 });
    broker(home);
    await announce(home);
    start(panel, ...agent());
    await expect.poll(link, withinMs).toMatchObject(connected);
    const history = async () => (await call('/api/v1/history')).text;
    await expect.poll(history, withinMs).toContain('"upgraded"');
  });
});
