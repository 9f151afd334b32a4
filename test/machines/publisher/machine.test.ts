import { createActor, fromPromise, SimulatedClock } from 'xstate';
import { describe, expect, it } from 'vitest';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { AnnouncedEntities } from '#machines/publisher/announced.ts';
import type {
  BridgeCommand,
  BridgeFact,
  HomeAssistantSaid,
  PublishedPanel,
  PublisherPhase,
} from '#machines/publisher/events.ts';
import { meaningIn } from '#machines/publisher/incoming.ts';
import { publisherMachine } from '#machines/publisher/machine.ts';
import { publisherView } from '#machines/publisher/phase.ts';

const US = 'a'.repeat(32);
const OTHER = 'b'.repeat(32);
const panel: PublishedPanel = {
  panelId: 'hall',
  installId: US,
  friendlyName: 'Hall',
  manufacturer: '',
  model: '',
  version: '1',
  configurationUrl: null,
  prefix: 'homeassistant',
  hidden: [],
  shapes: [
    { key: 'volume', entityKind: 'number', name: 'Volume', range: { min: 0, max: 100, step: 1 }, attributes: false },
  ],
};

async function settle(): Promise<void> {
  for (let n = 0; n < 10; n += 1) await Promise.resolve();
}

async function run(
  options: {
    readonly stored?: unknown;
    readonly keep?: () => Promise<void>;
    readonly read?: () => Promise<unknown>;
  } = {},
) {
  const told: BridgeCommand[] = [];
  const said: HomeAssistantSaid[] = [];
  const persisted: AnnouncedEntities[] = [];
  const clock = new SimulatedClock();
  let say: (fact: BridgeFact) => void = () => {};
  let named = panel;
  const actor = createActor(
    publisherMachine.provide({
      actors: {
        bridge: fromDriver<BridgeCommand, undefined, BridgeFact>(({ send, onEvent }) => {
          say = send;
          onEvent((command) => void told.push(command));
        }),
        readAnnounced: fromPromise<unknown>(options.read ?? (async () => options.stored ?? null)),
        persistAnnounced: fromPromise<void, AnnouncedEntities>(async ({ input }) => {
          await options.keep?.();
          persisted.push(input);
        }),
      },
    }),
    { clock },
  );
  actor.on('homeAssistant.said', (one) => void said.push(one));
  actor.start();
  await settle();
  const published = () => told.flatMap((command) => ('messages' in command ? command.messages : []));
  const t = {
    actor,
    told,
    said,
    persisted,
    say: (fact: BridgeFact) => {
      if (fact.type === 'panel.changed') named = fact.panel;
      say(fact);
    },
    pass: async (ms: number) => {
      for (let left = ms; left > 0; left -= 100) {
        clock.increment(Math.min(100, left));
        await settle();
      }
    },
    facts: () => publisherView(actor.getSnapshot()),
    published,
    topics: () => published().map(({ topic }) => topic),
    hear: (topic: string, payload: string, retained = false) => {
      const event = meaningIn(named, { topic, payload, retained });
      if (event !== null && event.type !== 'command') say(event);
    },
    /** What the bridge was told to do with the rows last. */
    rows: () => told.findLast(({ type }) => type === 'bridge.serve' || type === 'bridge.silence')?.type,
    echo: () => t.hear('sconce/hall/barrier/aaaaaaaa', 'echo'),
    link: (session = 1, panelId = 'hall') => say({ type: 'link.changed', connected: true, session, panelId }),
    unlink: () => say({ type: 'link.changed', connected: false, session: 0, panelId: null }),
    start: async () => {
      t.say({ type: 'panel.changed', panel });
      t.link();
      t.echo();
      t.hear('sconce/hall/owner', US);
      t.echo();
      await settle();
    },
  };
  return t;
}

/** A publisher that finds another machine under its panel id. */
async function runBesideAnother() {
  const t = await run();
  t.say({ type: 'panel.changed', panel });
  t.link();
  t.hear('sconce/hall/owner', OTHER, true);
  t.hear('sconce/hall/status/bbbbbbbb', 'online', true);
  t.echo();
  return t;
}

describe('the publisher', () => {
  it('claims a free panel id, remembers, announces, is live', async () => {
    const t = await run();
    await t.start();
    expect(t.facts()).toMatchObject({
      phase: 'live',
      announced: [{ key: 'volume', entityKind: 'number' }],
      orphans: 0,
    });
    expect(t.persisted[0]?.devices[0]?.entries).toEqual([{ key: 'volume', entityKind: 'number', state: 'here' }]);
    expect(t.told.slice(-4)).toMatchObject([
      { type: 'bridge.serve', panelId: 'hall', shapes: panel.shapes },
      { messages: [{ topic: 'homeassistant/device/sconce_hall/config' }] },
      { type: 'bridge.publish-rows' },
      { messages: [{ topic: 'sconce/hall/status/aaaaaaaa', payload: 'online' }] },
    ]);
  });

  it('waits for a link that was made for its panel id', async () => {
    const t = await run();
    t.say({ type: 'panel.changed', panel });
    t.link(1, 'old');
    expect(t.facts().phase).toBe('waiting');
    t.link(2);
    expect(t.facts().phase).toBe('claiming');
    t.unlink();
    expect(t.facts().phase).toBe('waiting');
  });

  it('does not wait for ever for an echo, nor for an owner topic it may not read', async () => {
    const t = await run();
    t.say({ type: 'panel.changed', panel });
    t.link();
    await t.pass(2100);
    expect(t.facts().phase).toBe('live');
  });

  it('announces even when the disk refuses, and says so', async () => {
    const error = new Error('ENOSPC');
    const t = await run({ keep: () => Promise.reject(error) });
    const faults: unknown[] = [];
    t.actor.on('fault', (fault) => void faults.push(fault));
    await t.start();
    expect(t.facts()).toMatchObject({ phase: 'live', storeFault: 'not-kept' });
    expect(faults.length).toBeGreaterThan(0);
    for (const fault of faults) expect(fault).toEqual({ type: 'fault', operation: 'announced-persist', error });
  });

  it('asks the store again before it announces anything', async () => {
    let answers = 0;
    const t = await run({
      read: () => ((answers += 1) < 3 ? Promise.reject(new Error('silent')) : Promise.resolve(null)),
    });
    await t.start();
    expect(t.told).toEqual([]);
    await t.pass(2100);
    expect(t.facts().phase).toBe('claiming');
  });

  it('gives way to a machine that is there, and goes on 5 s after it has left', async () => {
    const t = await runBesideAnother();
    expect(t.facts()).toMatchObject({ phase: 'duplicate' });
    expect(t.facts().advice).toContain('such as hall_2,');
    expect(t.facts().freeId).toBe('hall_2');
    expect(t.topics()).not.toContain('homeassistant/device/sconce_hall/config');
    expect(t.rows()).toBe('bridge.silence');
    t.hear('sconce/hall/status/bbbbbbbb', 'offline');
    await t.pass(4000);
    t.hear('sconce/hall/status/bbbbbbbb', 'online');
    await t.pass(6000);
    expect(t.facts().phase).toBe('duplicate');
    t.hear('sconce/hall/status/bbbbbbbb', 'offline');
    await t.pass(5100);
    expect(t.facts().phase).toBe('claiming');
    expect(t.facts().advice).toBeNull();
    expect(t.facts().freeId).toBeNull();
  });

  it('offers a panel id that no other machine has, made from its name', async () => {
    const t = await runBesideAnother();
    expect(t.told).toContainEqual({ type: 'bridge.subscribe', topics: ['sconce/+/owner'], asPublished: [] });
    t.hear('sconce/hall_2/owner', OTHER, true);
    expect(t.facts().advice).toContain('such as hall_3,');
    t.hear('sconce/hall_3/owner', US, true);
    t.hear('sconce/bath/owner', OTHER, true);
    expect(t.facts().advice).toContain('such as hall_3,');
    t.say({ type: 'panel.changed', panel: { ...panel, friendlyName: 'Bäth' } });
    expect(t.facts().advice).toContain('such as bath_2,');
    t.hear('sconce/bath/owner', '', true);
    expect(t.facts().advice).toContain('such as bath,');
    t.say({ type: 'panel.changed', panel: { ...panel, friendlyName: '日本' } });
    expect(t.facts().advice).toContain('such as hall_3,');
    for (let n = 0; n < 300; n += 1) t.hear(`sconce/hall_${n}/owner`, OTHER, true);
    expect(t.actor.getSnapshot().context.taken.length).toBeLessThanOrEqual(256);
    t.hear(`sconce/${'x'.repeat(64)}/owner`, OTHER, true);
    expect(t.actor.getSnapshot().context.taken.at(-1)).toBe('hall_299');
    expect(Object.keys(t.actor.getSnapshot().context.owners)).toEqual(['hall']);
  });

  it('gives way while it is live when somebody else claims, and claims again what was cleared', async () => {
    const t = await run();
    await t.start();
    t.hear('sconce/hall/owner', '');
    expect(t.facts().phase).toBe('claiming');
    t.echo();
    t.hear('sconce/hall/owner', US);
    t.echo();
    await settle();
    expect(t.facts().phase).toBe('live');
    t.hear('sconce/hall/status/bbbbbbbb', 'online');
    expect(t.rows()).toBe('bridge.serve');
    t.hear('sconce/hall/owner', OTHER);
    expect(t.facts().phase).toBe('duplicate');
    expect(t.published().at(-1)).toMatchObject({ topic: 'sconce/hall/status/aaaaaaaa', payload: 'offline' });
  });

  it.each<[string, (t: Awaited<ReturnType<typeof run>>) => void, PublisherPhase]>([
    ['the link is lost', (t) => t.unlink(), 'waiting'],
    ['it has another name', (t) => t.say({ type: 'panel.changed', panel: { ...panel, prefix: 'ha' } }), 'claiming'],
    ['somebody else claims the panel id', (t) => t.hear('sconce/hall/owner', OTHER), 'duplicate'],
    ['its claim is cleared', (t) => t.hear('sconce/hall/owner', ''), 'claiming'],
    ['it is withdrawn', (t) => t.actor.send({ type: 'publisher.withdraw', requestId: 'r' }), 'withdrawn'],
  ])('has its rows served while it is active, and no longer once %s', async (_, happens, phase) => {
    const t = await run();
    t.say({ type: 'panel.changed', panel });
    t.link();
    expect(t.rows()).toBe('bridge.silence');
    t.echo();
    t.hear('sconce/hall/owner', US);
    t.echo();
    await settle();
    expect(t.rows()).toBe('bridge.serve');
    happens(t);
    expect([t.rows(), t.facts().phase]).toEqual(['bridge.silence', phase]);
  });

  it('has its rows served no longer where it is withdrawn with nothing to withdraw', async () => {
    const t = await run();
    t.say({ type: 'panel.changed', panel: { ...panel, shapes: [] } });
    t.link();
    await t.pass(2100);
    expect(t.rows()).toBe('bridge.serve');
    t.actor.send({ type: 'publisher.withdraw', requestId: 'r' });
    expect([t.rows(), t.facts().phase]).toEqual(['bridge.silence', 'withdrawn']);
  });

  it('counts what the bridge refused', async () => {
    const t = await run();
    t.say({ type: 'command.refused' });
    expect(t.facts().refusedCommands).toBe(0);
    await t.start();
    t.say({ type: 'command.refused' });
    expect(t.facts().refusedCommands).toBe(1);
  });

  it('passes on what Home Assistant says of itself now, in each of its states', async () => {
    const t = await run();
    const said = () => t.said.splice(0).map(({ online }) => online);
    const hearAll = () => {
      t.hear('homeassistant/status', 'offline', true);
      t.hear('homeassistant/status', 'online', true);
      t.hear('homeassistant/status', 'otherwise');
      t.hear('homeassistant/status', 'offline');
      t.hear('homeassistant/status', 'online');
      return said();
    };
    t.say({ type: 'panel.changed', panel });
    t.link();
    expect([t.facts().phase, hearAll()]).toEqual(['claiming', [false, true]]);
    await t.start();
    expect([t.facts().phase, hearAll()]).toEqual(['live', [false, true]]);
    expect(hearAll()).toEqual([false, true]);
    await t.pass(2000);
    t.say({ type: 'panel.changed', panel: { ...panel, friendlyName: 'Two' } });
    expect(hearAll()).toEqual([false, true]);
    t.say({ type: 'panel.changed', panel: { ...panel, shapes: [] } });
    await t.pass(2100);
    expect([t.facts().phase, hearAll()]).toEqual(['announcing', [false, true]]);
  });

  it('repeats that it is there when a late will says otherwise', async () => {
    const t = await run();
    await t.start();
    t.hear('sconce/hall/status/aaaaaaaa', 'offline');
    expect(t.published().at(-1)).toMatchObject({ topic: 'sconce/hall/status/aaaaaaaa', payload: 'online' });
  });

  it('announces a changed shape once, a second later, and sweeps what left it', async () => {
    const t = await run();
    await t.start();
    const config = 'homeassistant/device/sconce_hall/config';
    const count = () => t.topics().filter((topic) => topic === config).length;
    t.say({ type: 'panel.changed', panel: { ...panel, friendlyName: 'One' } });
    t.say({ type: 'panel.changed', panel: { ...panel, friendlyName: 'Two', shapes: [] } });
    await t.pass(900);
    expect(count()).toBe(1);
    await t.pass(200);
    expect(count()).toBe(2);
    await t.pass(2100);
    expect(count()).toBe(3);
    expect(t.facts()).toMatchObject({ phase: 'live', orphans: 1, due: 0 });
    t.hear('homeassistant/status', 'online', true);
    expect(t.facts()).toMatchObject({ homeAssistantDetected: false, orphans: 1, due: 0 });
    t.hear('homeassistant/status', 'online');
    await t.pass(4100);
    expect(t.facts()).toMatchObject({ phase: 'live', homeAssistantDetected: true, orphans: 0 });
    expect(t.persisted.at(-1)?.devices).toEqual([]);
    t.hear('homeassistant/status', 'offline');
    expect(t.facts().homeAssistantDetected).toBe(false);
  });

  it('sweeps again what it swept while Home Assistant left in the middle', async () => {
    const t = await run();
    await t.start();
    t.hear('homeassistant/status', 'online');
    await t.pass(1100);
    t.say({ type: 'panel.changed', panel: { ...panel, shapes: [] } });
    await t.pass(1100);
    expect(t.facts().phase).toBe('announcing');
    t.hear('homeassistant/status', 'offline');
    await t.pass(3100);
    expect(t.facts()).toMatchObject({ phase: 'live', orphans: 1 });
    t.hear('homeassistant/status', 'online');
    await t.pass(1100);
    t.hear('homeassistant/status', 'offline');
    t.hear('homeassistant/status', 'online');
    await t.pass(3100);
    expect(t.facts()).toMatchObject({ phase: 'live', orphans: 0 });
  });

  it('keeps the status of at most 16 machines, the owner’s among them', async () => {
    const t = await run();
    t.say({ type: 'panel.changed', panel });
    t.link();
    t.hear('sconce/hall/owner', OTHER, true);
    t.hear('sconce/hall/status/bbbbbbbb', 'online', true);
    for (let n = 0; n < 100; n += 1) t.hear(`sconce/hall/status/m${n}`, 'online', true);
    expect(Object.keys(t.actor.getSnapshot().context.statuses)).toHaveLength(16);
    t.echo();
    expect(t.facts().phase).toBe('duplicate');
  });

  it('keeps everything back when the device itself would be refused', async () => {
    const t = await run();
    await t.start();
    t.say({ type: 'panel.changed', panel: { ...panel, configurationUrl: 'x' } });
    await t.pass(1100);
    expect(t.facts().refused).toHaveProperty('device');
    expect(t.topics().filter((topic) => topic.endsWith('/config'))).toHaveLength(1);
  });

  it('answers any number of births within two seconds by one discovery', async () => {
    const t = await run();
    await t.start();
    const config = 'homeassistant/device/sconce_hall/config';
    const count = () => t.topics().filter((topic) => topic === config).length;
    expect(count()).toBe(1);
    for (let n = 0; n < 15; n += 1) {
      t.hear('homeassistant/status', 'online');
      await t.pass(100);
    }
    expect([count(), t.facts().phase]).toEqual([1, 'live']);
    await t.pass(400);
    expect(count()).toBe(1);
    await t.pass(200);
    expect([count(), t.facts().phase]).toEqual([2, 'live']);
    await t.pass(5000);
    expect(count()).toBe(2);
    t.hear('homeassistant/status', 'online');
    await t.pass(2100);
    expect(count()).toBe(3);
  });

  it('answers a birth that comes while it announces once that is over, and finishes what it announces', async () => {
    const t = await run();
    await t.start();
    const config = 'homeassistant/device/sconce_hall/config';
    const count = () => t.topics().filter((topic) => topic === config).length;
    const phases = new Set<string>();
    let live = 0;
    for (let n = 0; n < 120; n += 1) {
      t.hear('homeassistant/status', 'online');
      await t.pass(500);
      phases.add(t.facts().phase);
      if (t.facts().phase === 'live') live += 1;
    }
    expect(phases).toContain('live');
    expect(live).toBeGreaterThan(60);
    expect(count()).toBeLessThanOrEqual(31);
    await t.pass(10_000);
    expect(t.facts()).toMatchObject({ phase: 'live', orphans: 0 });
  });

  it('announces a shape that changes while births are gathered with the one discovery', async () => {
    const t = await run();
    await t.start();
    t.hear('homeassistant/status', 'online');
    await t.pass(500);
    t.say({ type: 'panel.changed', panel: { ...panel, friendlyName: 'Two' } });
    await t.pass(5000);
    const configs = t.published().filter(({ topic }) => topic === 'homeassistant/device/sconce_hall/config');
    expect(configs.map(({ payload }) => payload.includes('Two'))).toEqual([false, true]);
  });

  it('ends as failed when its bridge crashes', () => {
    const broken = createActor(
      publisherMachine.provide({
        actors: {
          bridge: fromDriver<BridgeCommand, undefined, BridgeFact>(() => {
            throw new Error('x');
          }),
          readAnnounced: fromPromise<unknown>(async () => null),
          persistAnnounced: fromPromise<void, AnnouncedEntities>(async () => {}),
        },
      }),
    );
    broken.subscribe({ error: () => {} });
    broken.start();
    expect(broken.getSnapshot()).toMatchObject({
      status: 'done',
      output: { ended: 'failed', reason: 'entity-surface' },
    });
  });
});
