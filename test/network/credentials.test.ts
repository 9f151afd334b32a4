import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { StatusDocument } from '#machines/status.ts';
import { brokerMissing, MOSQUITTO, until } from '#test/broker/mosquitto.ts';

import { inAll } from '#test/fakes/in-all.ts';
import { advert, callerOn, configureBroker } from './house.ts';
import { type Lan, type Machine, makeLan, type Program } from './lan.ts';
import { whyNoNamespaces } from './routed.ts';

const bundle = fileURLToPath(new URL('../../dist/sconce.cjs', import.meta.url));
const besides = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const missing =
  whyNoNamespaces() ?? brokerMissing ?? (existsSync(bundle) ? null : 'the agent is not built (npm run build)');

const PORT = 8888;
const USER = 'panel';
const PASSWORD = 'marker-mqtt-7f3a';
const TOKEN = 'marker-token-9c1e';
const withinMs = { timeout: 20_000, interval: 200 };
const CONFIRM = '/api/v1/config/confirm-broker';

describe('a neighbour who wants a credential', () => {
  const folders: string[] = [];
  const newFolder = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'sconce-thief-'));
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

  /** The panel, the house with its broker, and the neighbour, whose programs are `nice`. */
  const settle = async () => {
    const [panel, home, thief] = lan?.machines ?? [];
    if (panel === undefined || home === undefined || thief === undefined) throw new Error('no network');
    const folder = newFolder();
    const node = (machine: Machine, file: string, how: object, ...before: readonly string[]): Program =>
      machine.start(...before, process.execPath, besides(file), JSON.stringify(how));
    const nice = ['nice', '-n', '10'] as const;
    const broker = home.start(MOSQUITTO, '-c', configureBroker(folder, USER, PASSWORD));
    const announcer = node(home, 'neighbour.mjs', { address: home.address, advertises: advert('ha', home.address) });
    const forged = node(thief, 'neighbour.mjs', { address: thief.address, accepts: true }, ...nice);
    const server = node(thief, 'attacks/thief.mjs', { host: thief.address, port: 8123 }, ...nice);
    for (const { printed } of [announcer, forged, server])
      // oxlint-disable-next-line no-await-in-loop -- all have to be there
      await until('the neighbours', () => /ready|listening/.test(printed()) || undefined);
    let agent: Program | undefined;
    const words = (args: readonly string[]) => [
      'run',
      '--profile',
      'simulated',
      '--data',
      folder,
      '--port',
      '8888',
      ...args,
    ];
    const start = (...args: readonly string[]): void => {
      agent = panel.start(process.execPath, bundle, ...words(args));
    };
    const outside = callerOn(home, besides('caller.mjs'), PORT, panel.address);
    const inside = callerOn(panel, besides('caller.mjs'), PORT, '127.0.0.1');
    const status = async () => {
      const { status: code, text } = await outside('/api/v1/status');
      return code === 200 ? StatusDocument().parse(JSON.parse(text)) : null;
    };
    return {
      folder,
      broker,
      home,
      thief,
      start,
      /** Starts the agent again once it has ended, as a service manager does. */
      again: async (...args: readonly string[]) => {
        await agent?.ended;
        start(...args);
      },
      owner: outside,
      atPanel: inside,
      neighbour: callerOn(thief, besides('caller.mjs'), PORT, panel.address),
      forge: () =>
        forged.tell(JSON.stringify([{ type: 'A', name: 'ha.local', ttl: 120, flush: true, data: thief.address }])),
      /** All that reached the neighbour. */
      taken: (): string =>
        [...forged.printed().matchAll(/^took (\w+)$/gm)]
          .map(([, hex = '']) => Buffer.from(hex, 'hex').toString())
          .join('') + server.printed(),
      link: async () => (await status())?.mqtt ?? null,
      history: async () =>
        (
          JSON.parse((await outside('/api/v1/history')).text) as {
            entries: { kind: string; by: string; code: string }[];
          }
        ).entries
          .filter(({ kind }) => kind === 'recipient' || kind === 'reset')
          .map(({ code, by }) => `${code} ${by}`),
      stop: async () => {
        await agent?.kill();
        await Promise.all([announcer, forged, server, broker].map((program) => program.kill()));
      },
    };
  };

  it('confirms no broker of his own', { timeout: 90_000 }, async ({ skip }) => {
    if (missing !== null) skip(`skipped: ${missing}`);
    const net = await settle();
    onTestFinished(net.stop);
    net.start();
    await expect.poll(net.link, withinMs).toMatchObject({ phase: 'auth_failed', source: 'found' });
    // A token set before any address would go to the first address set.
    const early = await net.owner('/api/v1/config', { ha_token: TOKEN });
    expect([early.status, JSON.parse(early.text)]).toMatchObject([400, { reasons: { ha_token: expect.any(String) } }]);
    await net.owner('/api/v1/config', { mqtt_user: USER, mqtt_password: PASSWORD });
    await expect.poll(net.link, withinMs).toMatchObject({ phase: 'connected', confirm: null });

    // The session ends by a setting; what is found by then is his.
    expect((await net.neighbour('/api/v1/config', { mqtt_user: 'nobody' })).status).toBe(200);
    const forgedUntil = (look: () => unknown) =>
      expect.poll(() => {
        net.forge();
        return look();
      }, withinMs);
    await forgedUntil(net.taken).toContain('sconce_');
    // The genuine address may be announced again at any time, so each step forges it again.
    const waiting = { name: 'ha.local', address: net.thief.address, port: 1883 };
    await forgedUntil(net.link).toMatchObject({ confirm: 'moved' });
    await forgedUntil(async () => JSON.parse((await net.neighbour(CONFIRM)).text)).toMatchObject({
      waiting,
      needs_password: true,
    });
    const answerTo = (ask: typeof net.owner, proof: object) => async () => {
      const { status, text } = await ask(CONFIRM, { ...waiting, ...proof });
      return status === 200 ? 'confirmed' : JSON.parse(text).error;
    };
    for (const guess of [{}, { password: '' }, { password: 'nobody' }])
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await forgedUntil(answerTo(net.neighbour, guess)).toBe('unproven');
    await forgedUntil(answerTo(net.owner, { password: 'wrong' })).toBe('unproven');
    expect(net.taken()).not.toContain(PASSWORD);
    await expect.poll(net.history, withinMs).toContain('unproven network');
    // The owner may: what would be seen if it had been sent.
    await forgedUntil(answerTo(net.owner, { password: PASSWORD })).toBe('confirmed');
    await forgedUntil(net.taken).toContain(PASSWORD);
    expect(await net.history()).toContain('confirmed network');
  });

  inAll(
    'gets by a reset nothing that came from a file',
    async ({ skip }) => {
      if (missing !== null) skip(`skipped: ${missing}`);
      const net = await settle();
      onTestFinished(net.stop);
      const file = (name: string, text: string): string => {
        const path = join(net.folder, name);
        writeFileSync(path, `${text}\n`, { mode: 0o600 });
        return path;
      };
      const args = [
        '--mqtt-user',
        USER,
        '--mqtt-pass-file',
        file('pass', PASSWORD),
        '--ha-token-file',
        file('token', TOKEN),
      ];
      const server = ['--ha-url', `http://${net.home.address}:8123`];
      net.start(...args, ...server);
      // No owner could have confirmed the broker found: the panel asks once, on its screen.
      await expect.poll(net.link, withinMs).toMatchObject({ phase: 'unconfirmed', source: 'found', confirm: 'broker' });
      const { waiting, needs_password: needs } = JSON.parse((await net.atPanel(CONFIRM)).text) as {
        readonly waiting: object;
        readonly needs_password: boolean;
      };
      expect(needs).toBe(false);
      expect((await net.neighbour(CONFIRM, waiting)).status).toBe(403);
      expect((await net.atPanel(CONFIRM, waiting)).status).toBe(200);
      await expect.poll(net.link, withinMs).toMatchObject({ phase: 'connected', confirm: null });
      expect(JSON.parse((await net.owner('/api/v1/config')).text)).toMatchObject({ ha_token_set: true });

      for (const scope of ['everything', 'connection']) {
        net.forge();
        // oxlint-disable-next-line no-await-in-loop -- one after another
        const ordered = await net.neighbour('/api/v1/setup/reset', { scope, confirm: true, without_broker: true });
        expect(ordered.status).toBe(200);
        // oxlint-disable-next-line no-await-in-loop -- as above
        await net.again(...args);
        net.forge();
        // oxlint-disable-next-line no-await-in-loop -- as above
        await expect.poll(() => net.neighbour('/health').then(({ status }) => status), withinMs).toBe(200);
        // The house is still announced, and so is he: whichever is found, only the house gets it.
        net.forge();
        // oxlint-disable-next-line no-await-in-loop -- as above
        const saved = await net.neighbour('/api/v1/config', { ha_url: `http://${net.thief.address}:8123` });
        expect([saved.status, JSON.parse(saved.text)]).toMatchObject([200, { ha_token_set: false }]);
        // oxlint-disable-next-line no-await-in-loop -- as above
        await expect.poll(net.link, withinMs).toMatchObject({ source: 'found' });
      }
      await expect.poll(net.taken, withinMs).toContain('/manifest.json');
      for (const secret of [PASSWORD, TOKEN]) expect(net.taken()).not.toContain(secret);
      expect(await net.history()).toEqual(expect.arrayContaining(['connection network']));
      const recorded = readFileSync(join(net.folder, 'recipients.json'), 'utf8');
      for (const secret of [PASSWORD, TOKEN]) expect(recorded).not.toContain(secret);
    },
    90_000,
  );
});
