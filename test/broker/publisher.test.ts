import { afterEach, describe, expect, it } from 'vitest';

import { identityFacts, settingsFacts, startAgent, testRows, type AgentOptions, type TestAgent } from './agent.ts';
import { brokerMissing, listenTo, startBroker, until, type Broker, type Listener } from './mosquitto.ts';

const CONFIG = 'homeassistant/device/sconce_hall/config';
const STATUS = 'sconce/hall/status/aaaaaaaa';

interface Payload {
  readonly device: Readonly<Record<string, unknown>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const open: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});

async function broker(...account: Parameters<typeof startBroker>): Promise<Broker> {
  const panel = await startBroker(...account);
  open.push(panel);
  return panel;
}
async function listener(...how: Parameters<typeof listenTo>): Promise<Listener> {
  const panel = await listenTo(...how);
  open.push(panel);
  return panel;
}
function agent(options: AgentOptions): TestAgent {
  const panel = startAgent(options);
  open.push({ close: panel.stop });
  return panel;
}
let flushes = 0;
/** Waits until the agent is live and the listener has heard all that it said until then. */
async function live(panel: TestAgent, heard?: Listener): Promise<void> {
  await until('live', () => panel.publisher()?.phase === 'live');
  if (!heard) return;
  flushes += 1;
  const topic = `test/flush/${flushes}`;
  panel.messages.publish([{ topic, payload: '', retain: false, qos: 0 }]);
  await until('heard', () => heard.messages.some((message) => message.topic === topic));
}
const parsed = (text: string | undefined): Payload | null =>
  text === undefined || text === '' ? null : (JSON.parse(text) as Payload);
const configs = (heard: Listener, topic = CONFIG): (Payload | null)[] =>
  heard.messages.filter((message) => message.topic === topic).map((message) => parsed(message.payload));

describe.skipIf(brokerMissing !== null)(
  `publisher on a real broker${brokerMissing === null ? '' : ` (${brokerMissing})`}`,
  () => {
    it('announces one device with every state, then says online', async () => {
      const { port } = await broker();
      const heard = await listener(port);
      const panel = agent({ port });
      await live(panel, heard);
      await until('online', () => heard.latest(STATUS) === 'online');
      const payload = parsed(heard.latest(CONFIG));
      expect(payload?.device).toMatchObject({ identifiers: ['sconce_hall'], name: 'Hall panel' });
      expect(Object.keys(payload?.components ?? {})).toEqual(['screen', 'volume', 'reboot', 'home', 'load']);
      expect(payload?.components['screen']).toMatchObject({
        default_entity_id: 'light.hall_screen',
        unique_id: 'sconce_hall_screen',
      });
      expect(heard.latest('sconce/hall/screen/state')).toBe('{"state":"ON","brightness":80}');
      expect(heard.latest('sconce/hall/volume/state')).toBe('40');
      expect(heard.latest('sconce/hall/home/state')).toBe('{"value":""}');
      expect(heard.latest('sconce/hall/screen/availability')).toBe('online');
      expect(heard.latest('sconce/hall/owner')).toBe('a'.repeat(32));
      const order = heard.messages.map(({ topic }) => topic);
      expect(order.indexOf(CONFIG)).toBeLessThan(order.indexOf('sconce/hall/volume/state'));
      expect(order.indexOf('sconce/hall/volume/state')).toBeLessThan(order.lastIndexOf(STATUS));
      expect(panel.link()).toMatchObject({ protocol: 5, phase: 'connected', session: 1 });
      await panel.stop();
      await until('offline', () => heard.latest(STATUS) === 'offline');
    });

    it('carries out commands and answers with the state; refuses what is malformed', async () => {
      const { port } = await broker();
      const heard = await listener(port);
      const notes: string[] = [];
      const panel = agent({ port, notes });
      await live(panel, heard);
      await heard.publish('sconce/hall/screen/set', '{"state":"ON","brightness":128}');
      await until('state', () => heard.latest('sconce/hall/screen/state') === '{"state":"ON","brightness":128}');
      await heard.publish('sconce/hall/home/set', '/lovelace/1');
      await until('text', () => heard.latest('sconce/hall/home/state') === '{"value":"/lovelace/1"}');
      await heard.publish('sconce/hall/reboot/set', 'PRESS');
      await until('press', () => panel.facts('panel')['reboots'] === 1);
      const before = heard.messages.length;
      await heard.publish('sconce/hall/volume/set', '101');
      await heard.publish('sconce/hall/volume/set', 'NaN');
      await heard.publish('sconce/hall/volume/set', '102');
      await heard.publish('sconce/hall/volume/set', '13');
      await until('four refusals', () => panel.publisher()?.refusedCommands === 4);
      // The first at once, the newest of the others a second later.
      const why = () => heard.latest('sconce/hall/volume/attributes') ?? '';
      await until('the reason of the newest', () => why().includes('"code":"unlucky","reason":"no"'));
      await until(
        'true state four times',
        () =>
          heard.messages
            .slice(before)
            .filter((message) => message.topic === 'sconce/hall/volume/state' && message.payload === '40').length === 4,
      );
      expect(notes).toHaveLength(3);
      expect(notes.join()).not.toContain('101');
    });

    it('ignores retained commands after a reconnect and republishes everything to a broker that forgot', async () => {
      const own = await broker();
      const heard = await listener(own.port);
      const panel = agent({ port: own.port });
      await live(panel, heard);
      await own.kill();
      await until('lost', () => panel.link()?.phase === 'unreachable');
      await own.start();
      const second = await listener(own.port);
      await second.publish('sconce/hall/reboot/set', 'PRESS', true);
      await until('connected again', () => panel.link()?.session === 2);
      await live(panel, second);
      await until('device', () => parsed(second.latest(CONFIG)) !== null);
      await until('state', () => second.latest('sconce/hall/screen/state') === '{"state":"ON","brightness":80}');
      await until('online', () => second.latest(STATUS) === 'online');
      expect(panel.facts('panel')['reboots']).toBe(0);
      expect(heard.client.connected).toBe(true);
    });

    it('is right again within 5 s of each return of a broker that keeps dying', async () => {
      const own = await broker();
      const panel = agent({ port: own.port });
      await live(panel);
      for (let session = 2; session <= 4; session += 1) {
        await own.kill();
        await until('lost', () => panel.link()?.phase !== 'connected');
        const tried = panel.link()?.attempt ?? 0;
        await until('tried in vain', () => (panel.link()?.attempt ?? 0) > tried);
        await own.start();
        await until('live again', () => panel.link()?.session === session && panel.publisher()?.phase === 'live', 5000);
      }
      expect(panel.link()?.protocol).toBe(5);
    }, 30_000);

    it('reconnects with a retained command waiting and does not carry it out', async () => {
      const { port } = await broker();
      const heard = await listener(port);
      await heard.publish('sconce/hall/reboot/set', 'PRESS', true);
      await heard.publish('sconce/hall/screen/set', '{"state":"OFF"}', true);
      const panel = agent({ port });
      await live(panel, heard);
      expect(panel.facts('panel')).toMatchObject({ reboots: 0, on: true });
    });

    it('ignores a command that is published as retained while it listens, and hears the retained rest', async () => {
      const { port } = await broker();
      const heard = await listener(port);
      const panel = agent({ port });
      await live(panel, heard);
      await heard.publish('sconce/hall/screen/set', '{"state":"OFF"}', true);
      await heard.publish('sconce/hall/volume/set', '41');
      await until('the next command', () => heard.latest('sconce/hall/volume/state') === '41');
      expect(panel.facts('panel')).toMatchObject({ on: true, volume: 41 });
      await heard.publish('homeassistant/status', 'online', true);
      await until('birth', () => panel.publisher()?.homeAssistantDetected);
      await live(panel, heard);
      await heard.publish(STATUS, 'offline', true);
      await until('online again', () => heard.latest(STATUS) === 'online');
      await heard.publish('sconce/hall/owner', '', true);
      await until('owner again', () => heard.latest('sconce/hall/owner') === 'a'.repeat(32));
    });

    it('says so while another machine has the panel id, and goes on when it has left', async () => {
      const { port } = await broker();
      const heard = await listener(port);
      const first = agent({ port });
      await live(first, heard);
      await heard.publish('sconce/hall_panel/owner', 'c'.repeat(32), true);
      const second = agent({ port, installId: 'b'.repeat(32) });
      await until('duplicate', () => second.publisher()?.phase === 'duplicate');
      await until('a free id', () => second.publisher()?.advice?.includes('such as hall_panel_2,'));
      expect(second.publisher()?.advice).not.toContain('aaaa');
      await heard.publish('sconce/hall/volume/set', '55');
      await until('only the owner acts', () => first.facts('panel')['volume'] === 55);
      expect(second.facts('panel')['volume']).toBe(40);
      expect(configs(heard)).toHaveLength(1);
      await first.stop();
      await until('taken over', () => second.publisher()?.phase === 'live', 9000);
      expect(heard.latest('sconce/hall/owner')).toBe('b'.repeat(32));
      expect(parsed(heard.latest(CONFIG))?.components['screen']).toMatchObject({ unique_id: 'sconce_hall_screen' });
    }, 20_000);

    it('lets new hardware take over an old panel id at once', async () => {
      const { port } = await broker();
      const heard = await listener(port);
      await heard.publish('sconce/hall/owner', 'c'.repeat(32), true);
      await heard.publish('sconce/hall/status/cccccccc', 'offline', true);
      const panel = agent({ port });
      await live(panel, heard);
      expect(heard.latest('sconce/hall/owner')).toBe('a'.repeat(32));
      await until('old status forgotten', () => heard.latest('sconce/hall/status/cccccccc') === '');
    });

    it('sweeps what an earlier run announced: full, a second, markers, then its topics', async () => {
      const { port } = await broker();
      const heard = await listener(port);
      const disk: Record<string, unknown> = {};
      const first = agent({ port, disk });
      await live(first, heard);
      await first.stop();
      const from = heard.messages.length;
      const second = agent({ port, disk, expose: { load: false } });
      await live(second, heard);
      const later = { ...heard, messages: heard.messages.slice(from) };
      const [full, marked, ...more] = configs(later);
      expect(full?.components['load']).toMatchObject({
        platform: 'sensor',
        unique_id: 'sconce_hall_load',
        state_topic: 'sconce/hall/load/state',
      });
      expect(marked?.components['load']).toEqual({ platform: 'sensor' });
      expect(marked?.components['screen']).toMatchObject({ platform: 'light', schema: 'json' });
      expect(more).toEqual([]);
      const [a, b] = later.messages.filter((message) => message.topic === CONFIG);
      expect((b?.at ?? 0) - (a?.at ?? 0)).toBeGreaterThan(900);
      await until('cleared', () => heard.latest('sconce/hall/load/state') === '');
      expect(second.publisher()).toMatchObject({ orphans: 1 });
      // Home Assistant comes back: what it could not hear is swept again, this time for certain.
      const birth = heard.messages.length;
      await heard.publish('homeassistant/status', 'online');
      await until('swept', () => second.publisher()?.orphans === 0);
      await live(second, heard);
      const again = configs({ ...heard, messages: heard.messages.slice(birth) });
      expect(again.map((payload) => Object.keys(payload?.components['load'] ?? {}).length > 1)).toEqual([true, false]);
      expect(second.publisher()?.homeAssistantDetected).toBe(true);
    }, 20_000);

    it('removes an entity whose kind changed before the new one comes', async () => {
      const { port } = await broker();
      const heard = await listener(port);
      const disk: Record<string, unknown> = {};
      const first = agent({ port, disk });
      await live(first, heard);
      await first.stop();
      const from = heard.messages.length;
      const rows = testRows.map((row) =>
        row.key === 'load'
          ? { ...row, entityKind: 'binary_sensor' as const, unit: undefined, stateClass: undefined, read: () => true }
          : row,
      ) as typeof testRows;
      const second = agent({ port, disk, rows });
      await live(second, heard);
      const seen = configs({ ...heard, messages: heard.messages.slice(from) }).map(
        (payload) => payload?.components['load'],
      );
      expect(seen.map((component) => component?.['platform'])).toEqual(['sensor', 'sensor', 'binary_sensor']);
      expect(seen[1]).toEqual({ platform: 'sensor' });
      expect(seen[2]).toMatchObject({ unique_id: 'sconce_hall_load' });
    }, 20_000);

    it('takes a new panel id along and removes the old device', async () => {
      const { port } = await broker();
      const heard = await listener(port);
      const panel = agent({ port });
      await live(panel, heard);
      panel.put('identity', identityFacts('kitchen', 'a'.repeat(32)));
      await until('new device', () => parsed(heard.latest('homeassistant/device/sconce_kitchen/config')));
      await until('old device removed', () => heard.latest(CONFIG) === '');
      await live(panel, heard);
      for (const topic of ['screen/state', 'screen/availability', 'volume/state', 'status/aaaaaaaa', 'owner'])
        expect([topic, heard.latest(`sconce/hall/${topic}`)]).toEqual([topic, '']);
      expect(heard.latest('sconce/kitchen/status/aaaaaaaa')).toBe('online');
      const full = configs(heard).at(-2);
      expect(Object.keys(full?.components ?? {})).toHaveLength(5);
    }, 20_000);

    it('leaves an old panel id alone when another machine has it now', async () => {
      const { port } = await broker();
      const heard = await listener(port);
      const disk: Record<string, unknown> = {};
      const first = agent({ port, disk });
      await live(first, heard);
      await first.stop();
      await heard.publish('sconce/hall/owner', 'd'.repeat(32), true);
      const config = heard.latest(CONFIG);
      const second = agent({ port, disk, panelId: 'kitchen' });
      await live(second, heard);
      expect(heard.latest(CONFIG)).toBe(config);
      expect(heard.latest('sconce/hall/owner')).toBe('d'.repeat(32));
      expect(second.publisher()?.orphans).toBe(0);
    });

    it('republishes everything after Home Assistant’s birth, the same payload', async () => {
      const { port } = await broker();
      const heard = await listener(port);
      const panel = agent({ port });
      await live(panel, heard);
      const before = heard.latest(CONFIG);
      const from = heard.messages.length;
      await heard.publish('homeassistant/status', 'online');
      await until('again', () => heard.messages.slice(from).some(({ topic }) => topic === STATUS));
      const topics = heard.messages.slice(from).map(({ topic }) => topic);
      expect(heard.latest(CONFIG)).toBe(before);
      expect(topics.filter((topic) => topic === CONFIG)).toHaveLength(1);
      expect(topics).toContain('sconce/hall/volume/state');
    });

    it('does not bring a device back that its owner removed, until the next start', async () => {
      const { port } = await broker();
      const heard = await listener(port);
      const disk: Record<string, unknown> = {};
      const first = agent({ port, disk });
      await live(first, heard);
      await heard.publish(CONFIG, '', true);
      await until('noticed', () => first.publisher()?.removedElsewhere);
      await heard.publish('homeassistant/status', 'online');
      await live(first, heard);
      expect(heard.latest(CONFIG)).toBe('');
      await first.stop();
      await live(agent({ port, disk }), heard);
      expect(parsed(heard.latest(CONFIG))?.components['screen']).toBeDefined();
    });

    it('says refused credentials until they are right, and needs no push', async () => {
      const account = { user: 'panel', password: 'right-horse' };
      const own = await broker(account);
      let password = 'wrong-horse';
      const panel = agent({ port: own.port, user: 'panel', password: () => password });
      await until('refused', () => panel.link()?.phase === 'auth_failed');
      expect(panel.link()).toMatchObject({ failure: 'credentials', protocol: null });
      await own.kill();
      await until('one more attempt', () => (panel.link()?.attempt ?? 0) >= 2);
      expect(panel.link()).toMatchObject({ phase: 'auth_failed', failure: 'credentials' });
      await own.start();
      password = 'right-horse';
      panel.put('settings', settingsFacts({ port: own.port, user: 'panel', password: () => password }, 2));
      await until('accepted', () => panel.link()?.phase === 'connected', 3000);
      await live(panel);
      expect(JSON.stringify([panel.registry.read('mqtt'), panel.registry.read('publisher')])).not.toContain('horse');
    }, 20_000);

    it('says offline when the publisher is gone for good', async () => {
      const { port } = await broker();
      const heard = await listener(port);
      const panel = agent({ port, mortal: true });
      await live(panel, heard);
      await until('online', () => heard.latest(STATUS) === 'online');
      panel.kill('publisher');
      await until('offline', () => heard.latest(STATUS) === 'offline', 4000);
      expect(panel.link()).toMatchObject({ phase: 'connected', session: 1 });
    });

    it('lets the will speak when the agent dies, and is back after it was killed', async () => {
      const { port } = await broker();
      const heard = await listener(port);
      const panel = agent({ port });
      await live(panel, heard);
      panel.kill('mqtt');
      await until('will', () => heard.latest(STATUS) === 'offline');
      await until('back', () => heard.latest(STATUS) === 'online');
      await live(panel, heard);
      panel.kill('publisher');
      await until('publisher down', () => panel.publisher()?.phase !== 'live');
      await live(panel, heard);
    });
  },
);
