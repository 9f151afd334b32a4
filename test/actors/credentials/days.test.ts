import { afterEach, describe, expect, it } from 'vitest';

import { createPanel, quietWorld, type Sent, type World } from './panel.ts';

const PASSWORD = 'correct-horse';
const HOME = ['ha.local', '10.99.0.2'] as const;
const FORGED = ['ha.local', '10.99.0.3'] as const;
const OTHER = ['evil.local', '10.99.0.3'] as const;

let open: { readonly stop: () => void } | undefined;
afterEach(() => open?.stop());

async function start(over: Partial<World> = {}, disk?: Parameters<typeof createPanel>[1]) {
  const sent: string[] = [];
  const world = quietWorld({ onSent: ({ secret, to }: Sent) => void sent.push(`${secret} ${to}`), ...over });
  const panel = createPanel(world, disk);
  open = panel;
  await panel.start();
  return { ...panel, world, sent };
}

describe('the broker’s password on an owner’s days', () => {
  it('goes to the broker that is found when it is saved, and to it after restarts', async () => {
    const panel = await start({ finds: [HOME] });
    await panel.save({ mqtt_user: 'panel', mqtt_password: PASSWORD });
    expect([panel.phase(), panel.lastChange()?.code]).toEqual(['connected', 'bound']);
    await panel.wait(120);
    await panel.restart();
    expect(panel.phase()).toBe('connected');
    await panel.wait(70);
    expect(new Set(panel.sent)).toEqual(new Set([`${PASSWORD} 10.99.0.2:1883`]));
    expect(JSON.stringify(panel.disk.recorded)).not.toContain(PASSWORD);
  });

  it('waits for the owner where nothing was found for a minute after it was saved', async () => {
    const panel = await start();
    await panel.save({ mqtt_password: PASSWORD });
    await panel.wait(61);
    await panel.find([HOME]);
    expect([panel.phase(), panel.sent]).toEqual(['unconfirmed', []]);
    expect((await panel.confirm('network', null)).outcome).toEqual({ status: 'unproven', why: 'missing' });
    expect((await panel.confirm('network', 'wrong')).outcome).toEqual({ status: 'unproven', why: 'wrong' });
    expect([panel.phase(), panel.sent]).toEqual(['unconfirmed', []]);
    expect((await panel.confirm('network', PASSWORD)).outcome).toEqual({ status: 'confirmed' });
    expect([panel.phase(), panel.lastChange()]).toMatchObject(['connected', { code: 'confirmed', from: 'network' }]);
  });

  it('goes on without a question for a file with its broker beside it, whatever address its name has', async () => {
    const given = { mqtt_broker: 'mqtt://broker.lan', mqtt_user: 'panel', mqtt_password: PASSWORD };
    const panel = await start({ given });
    expect(panel.phase()).toBe('connected');
    await panel.restart();
    await panel.reset('connection');
    expect(panel.phase()).toBe('connected');
    expect(new Set(panel.sent)).toEqual(new Set([`${PASSWORD} broker.lan:1883`]));
  });

  it('is asked about once where it comes from a file alone, on the panel or with the password', async () => {
    const panel = await start({ finds: [HOME], given: { mqtt_user: 'panel', mqtt_password: PASSWORD } });
    expect([panel.phase(), panel.sent]).toEqual(['unconfirmed', []]);
    expect((await panel.confirm('panel', null)).outcome).toEqual({ status: 'confirmed' });
    expect(panel.phase()).toBe('connected');
    for (const again of [() => panel.restart(), () => panel.reset('connection'), () => panel.reset('everything')]) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await again();
      expect(panel.phase()).toBe('connected');
    }
  });

  it('of a panel from the version before goes where it went, and the history says so', async () => {
    const broker = { name: HOME[0], address: HOME[1], port: 1883 };
    const sections = {
      settings: { revision: 2, values: { mqtt_user: 'panel' } },
      secrets: { mqtt_password: PASSWORD },
      broker: { version: 1, password: 'mark', binding: { kind: 'bound', broker } },
    };
    const panel = await start({ finds: [FORGED] }, { sections, recorded: null });
    expect([panel.lastChange()?.code, panel.sent]).toEqual(['upgraded', []]);
    await panel.find([HOME]);
    expect([panel.phase(), panel.sent]).toEqual(['connected', [`${PASSWORD} 10.99.0.2:1883`]]);
  });

  it('of an older panel that was bound to nobody waits for the owner, whatever is found at the upgrade', async () => {
    const broker = (binding: object) => ({ version: 1, password: 'mark', binding });
    for (const legacy of [
      {},
      { broker: broker({ kind: 'unconfirmed' }) },
      { broker: broker({ kind: 'open', by: 'file' }) },
    ]) {
      const sections = { secrets: { mqtt_password: PASSWORD }, ...legacy };
      // oxlint-disable-next-line no-await-in-loop -- one panel after another
      const panel = await start({ finds: [FORGED] }, { sections, recorded: null });
      expect([panel.phase(), panel.sent]).toEqual(['unconfirmed', []]);
      panel.stop();
    }
  });

  it('without a recipient beside others can be confirmed', async () => {
    const recipient = { scheme: 'http', host: '10.99.0.2', port: 8123, name: null };
    const values = { mqtt_broker: 'mqtt://10.99.0.2', ha_url: 'http://10.99.0.2:8123' };
    const damaged = { ha_token: { id: 'x', by: 'save', at: 1, recipient }, mqtt_password: 'damaged' };
    const secrets = { mqtt_password: PASSWORD, ha_token: 'token', recipients: damaged };
    const panel = await start({}, { sections: { settings: { revision: 3, values }, secrets }, recorded: null });
    expect(panel.phase()).toBe('unconfirmed');
    expect((await panel.confirm('panel', null)).outcome).toEqual({ status: 'confirmed' });
    expect(panel.phase()).toBe('connected');
  });

  it('stays with the broker that it is bound to where the owner saves the same one again', async () => {
    const panel = await start({ finds: [HOME] });
    await panel.save({ mqtt_user: 'panel', mqtt_password: PASSWORD });
    await panel.wait(120);
    panel.world.silent = new Set([HOME[1]]);
    await panel.restart();
    await panel.find([FORGED]);
    await panel.save({ mqtt_user: 'panel', mqtt_password: PASSWORD });
    await panel.wait(10);
    expect(new Set(panel.sent)).toEqual(new Set([`${PASSWORD} 10.99.0.2:1883`]));
    expect((await panel.waiting())?.address).toBe(FORGED[1]);
  });

  it('from a file comes back to its own broker after the address was changed and changed back', async () => {
    const given = { mqtt_broker: 'mqtt://10.99.0.2', mqtt_user: 'panel', mqtt_password: PASSWORD };
    const panel = await start({ given });
    await panel.save({ mqtt_broker: 'mqtt://10.99.0.9' });
    await panel.restart();
    expect(panel.stored('mqtt_password')).toBe('');
    await panel.save({ mqtt_broker: 'mqtt://10.99.0.2' });
    await panel.restart();
    expect([panel.stored('mqtt_password'), panel.phase()]).toEqual([PASSWORD, 'connected']);
    expect(new Set(panel.sent)).toEqual(new Set([`${PASSWORD} 10.99.0.2:1883`]));
  });

  it('takes an address beside its file that is spelled otherwise than the one that is set', async () => {
    const panel = await start();
    await panel.save({ mqtt_broker: 'mqtt://10.99.0.2:1883' });
    panel.world.given = { mqtt_broker: 'mqtt://10.99.0.2', mqtt_password: PASSWORD };
    await panel.restart();
    expect([panel.phase(), panel.sent]).toEqual(['connected', [`${PASSWORD} 10.99.0.2:1883`]]);
  });
});

describe('a restart', () => {
  it('within the minute opens no password again, whatever was found before it', async () => {
    for (const before of [[HOME], [HOME, OTHER], []] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one panel after another
      const panel = await start({ finds: before, refusing: new Set([HOME[1]]) });
      // oxlint-disable-next-line no-await-in-loop -- as above
      await panel.save({ mqtt_password: PASSWORD });
      panel.world.finds = [FORGED];
      // oxlint-disable-next-line no-await-in-loop -- as above
      await panel.restart();
      expect(panel.phase()).toBe('unconfirmed');
      expect(panel.sent).not.toContain(`${PASSWORD} 10.99.0.3:1883`);
      panel.stop();
    }
  });
});

describe('what a neighbour tries', () => {
  it('gets no password by ending the session, forging the broker and confirming it', async () => {
    const panel = await start({ finds: [HOME] });
    await panel.save({ mqtt_user: 'panel', mqtt_password: PASSWORD });
    await panel.wait(120);
    panel.world.refusing = new Set([HOME[1]]);
    await panel.save({ mqtt_user: 'nobody' });
    for (const finds of [[FORGED], [OTHER], [HOME, OTHER], [FORGED]] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await panel.find(finds);
      // oxlint-disable-next-line no-await-in-loop -- as above
      for (const guess of [null, '', 'nobody'])
        expect((await panel.confirm('network', guess)).outcome?.status).not.toBe('confirmed');
    }
    expect(new Set(panel.sent)).toEqual(new Set([`${PASSWORD} 10.99.0.2:1883`]));
  });

  it('gets no password from a file by a reset, whatever he sets and forges', async () => {
    const panel = await start({ finds: [HOME], given: { mqtt_user: 'panel', mqtt_password: PASSWORD } });
    await panel.confirm('panel', null);
    for (const scope of ['connection', 'everything'] as const) {
      panel.world.finds = [FORGED];
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await panel.reset(scope);
      // oxlint-disable-next-line no-await-in-loop -- as above
      await panel.wait(5);
      // oxlint-disable-next-line no-await-in-loop -- as above
      await panel.save({ mqtt_broker: 'mqtt://10.99.0.3' });
      // oxlint-disable-next-line no-await-in-loop -- as above
      await panel.restart();
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect((await panel.confirm('network', null)).outcome?.status).not.toBe('confirmed');
    }
    expect(new Set(panel.sent)).toEqual(new Set([`${PASSWORD} 10.99.0.2:1883`]));
  });

  it('gets no token from a file by a reset and an address of his own', async () => {
    const panel = await start({ given: { ha_url: 'http://10.99.0.2:8123', ha_token: 'token' } });
    expect(panel.sent).toEqual(['token http://10.99.0.2:8123']);
    panel.world.given = { ha_token: 'token' };
    for (const evil of ['http://10.99.0.3:8123', 'http://10.99.0.2:8124', 'https://10.99.0.2:8123']) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await panel.reset('connection');
      // oxlint-disable-next-line no-await-in-loop -- as above
      await panel.save({ ha_url: evil });
      // oxlint-disable-next-line no-await-in-loop -- as above
      await panel.restart();
    }
    expect(new Set(panel.sent)).toEqual(new Set(['token http://10.99.0.2:8123']));
    await panel.reset('connection');
    await panel.save({ ha_url: 'http://10.99.0.2:8123' });
    await panel.restart();
    expect(panel.sent.at(-1)).toBe('token http://10.99.0.2:8123');
    expect(panel.stored('ha_token')).toBe('token');
  });

  it('gets no token from a file for whom its owner gave it before the last save', async () => {
    const [before, now] = ['https://10.99.0.2:8123', 'http://10.99.0.2:8123'];
    const panel = await start({ given: { ha_token: 'token' } });
    await panel.save({ ha_url: before, ha_token: 'token' });
    await panel.restart();
    await panel.reset('connection');
    await panel.save({ ha_url: now, ha_token: 'token' });
    const given = panel.sent.length;
    await panel.save({ ha_url: before });
    await panel.restart();
    expect(panel.sent.slice(given)).toEqual([]);
    await panel.save({ ha_url: now });
    await panel.restart();
    expect(panel.sent.at(-1)).toBe(`token ${now}`);
  });

  it('gets no token that was entered before an address', async () => {
    const panel = await start();
    expect(await panel.save({ ha_token: 'token' })).toMatchObject({
      status: 'refused',
      reasons: { ha_token: expect.any(String) },
    });
    const older = { secrets: { ha_token: 'token' } };
    const upgraded = await start({}, { sections: older, recorded: null });
    await upgraded.save({ ha_url: 'http://10.99.0.3:8123' });
    await upgraded.restart();
    expect([...panel.sent, ...upgraded.sent]).toEqual([]);
  });

  it('guesses five passwords a minute', async () => {
    const panel = await start({ finds: [HOME], given: { mqtt_password: PASSWORD } });
    for (let n = 0; n < 5; n += 1)
      // oxlint-disable-next-line no-await-in-loop -- one after another
      expect((await panel.confirm('network', `guess-${n}`)).outcome).toEqual({ status: 'unproven', why: 'wrong' });
    expect((await panel.confirm('network', PASSWORD)).outcome).toEqual({ status: 'unproven', why: 'late' });
    expect((await panel.confirm('panel', 'guess')).outcome).toEqual({ status: 'unproven', why: 'wrong' });
    await panel.wait(60);
    expect((await panel.confirm('network', PASSWORD)).outcome).toEqual({ status: 'confirmed' });
  });
});
