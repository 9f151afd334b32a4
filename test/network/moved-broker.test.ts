import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { StatusDocument } from '#machines/status.ts';
import { brokerMissing, MOSQUITTO, until } from '#test/broker/mosquitto.ts';

import { advert, callerOn, configureBroker } from './house.ts';
import { type Lan, type Machine, makeLan, type Program } from './lan.ts';
import { whyNoNamespaces } from './routed.ts';

const bundle = fileURLToPath(new URL('../../dist/sconce.cjs', import.meta.url));
const besides = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const missing =
  whyNoNamespaces() ?? brokerMissing ?? (existsSync(bundle) ? null : 'the agent is not built (npm run build)');

const USER = 'marker-user';
const PASSWORD = 'marker-password-7f3a';
const withinMs = { timeout: 20_000, interval: 200 };

describe('a forged address of the broker on a real network', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-moved-'));
  let lan: Lan | undefined;
  let agent: Program | undefined;
  beforeAll(async () => {
    if (missing === null) lan = await makeLan(3);
  }, 20_000);
  afterAll(async () => {
    await lan?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it('gets no password, and no session is left for it', { timeout: 60_000 }, async ({ skip }) => {
    if (missing !== null) skip(`skipped: ${missing}`);
    const [panel, home, forger] = lan?.machines ?? [];
    if (panel === undefined || home === undefined || forger === undefined) throw new Error('no network');
    const call = callerOn(panel, besides('caller.mjs'), 8888, '127.0.0.1');
    const link = async () => {
      const { status, text } = await call('/api/v1/status');
      return status === 200 ? StatusDocument().parse(JSON.parse(text)).mqtt : null;
    };
    const finder = async () => /^\[finder\] state=(\w+)/m.exec((await call('/api/v1/diag')).text)?.[1];

    const broker = home.start(MOSQUITTO, '-c', configureBroker(folder, USER, PASSWORD));
    const speaker = (machine: Machine, how: object): Program =>
      machine.start(process.execPath, besides('neighbour.mjs'), JSON.stringify({ address: machine.address, ...how }));
    const announcer = speaker(home, { advertises: advert('home', home.address) });
    const forged = speaker(forger, { accepts: true });
    const taken = (): string =>
      [...forged.printed().matchAll(/^took (\w+)$/gm)].map(([, hex = '']) => Buffer.from(hex, 'hex')).join('');
    for (const { printed } of [announcer, forged])
      // oxlint-disable-next-line no-await-in-loop -- both have to be there
      await until('the neighbours', () => printed().startsWith('ready'));
    agent = panel.start(process.execPath, bundle, 'run', '--profile', 'simulated', '--data', folder, '--port', '8888');

    // Found by itself, it asks for a password; the one that is saved now is for this broker.
    await expect.poll(link, withinMs).toMatchObject({ phase: 'auth_failed', source: 'found' });
    await call('/api/v1/config', { mqtt_user: USER, mqtt_password: PASSWORD });
    await expect.poll(link, withinMs).toMatchObject({ phase: 'connected', confirm: null });
    const before = await link();

    // A second Home Assistant that comes and goes shows that the forged record before it was taken in.
    await announcer.kill();
    forged.tell(JSON.stringify([{ type: 'A', name: 'home.local', ttl: 120, flush: true, data: forger.address }]));
    forged.tell(JSON.stringify(advert('other', forger.address)));
    await expect.poll(finder, withinMs).toBe('ambiguous');
    forged.tell(JSON.stringify(advert('other', forger.address, 0)));
    await expect.poll(finder, withinMs).toBe('found');
    expect(await link()).toEqual(before);
    expect(taken()).toBe('');

    // The session is lost: the forged one is asked, and gets nothing that a person did not confirm.
    await broker.kill();
    await expect.poll(link, withinMs).toMatchObject({
      phase: 'connected',
      confirm: 'moved',
      detail: expect.stringContaining('Confirm the broker'),
    });
    expect(taken()).toContain('sconce_');
    for (const secret of [USER, PASSWORD]) expect(taken()).not.toContain(secret);
    expect(agent.printed()).not.toContain(forger.address);

    // What waits is told, and only that can be confirmed.
    const path = '/api/v1/config/confirm-broker';
    const { waiting } = JSON.parse((await call(path)).text) as { readonly waiting: object };
    expect(waiting).toMatchObject({ name: 'home.local', address: forger.address });
    expect((await call(path, {})).status).toBe(400);
    const refused = await call(path, { ...waiting, address: home.address });
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([409, { error: 'broker-changed' }]);
    expect(taken()).not.toContain(PASSWORD);

    // What would be seen if it had been sent.
    expect((await call(path, waiting)).status).toBe(200);
    await expect.poll(taken, withinMs).toContain(PASSWORD);
    expect((await call(path, waiting)).status).toBe(409);
  });
});
