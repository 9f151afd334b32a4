import { createActor, fromPromise, SimulatedClock } from 'xstate';
import { describe, expect, it } from 'vitest';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { AnnouncedEntities } from '#machines/publisher/announced.ts';
import type { GatewayCommand, GatewayFact, PublishedPanel } from '#machines/publisher/events.ts';
import { incomingEvent } from '#machines/publisher/incoming.ts';
import { publisherMachine } from '#machines/publisher/machine.ts';
import { shownPublisher } from '#machines/publisher/phase.ts';

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
  shapes: [
    { key: 'volume', entityKind: 'number', name: 'Volume', range: { min: 0, max: 100, step: 1 }, attributes: false },
  ],
};

const settle = async (): Promise<void> => {
  for (let n = 0; n < 10; n += 1) await Promise.resolve();
};

const run = async (
  options: {
    readonly stored?: unknown;
    readonly keep?: () => Promise<void>;
    readonly read?: () => Promise<unknown>;
  } = {},
) => {
  const told: GatewayCommand[] = [];
  const kept: AnnouncedEntities[] = [];
  const clock = new SimulatedClock();
  let say: (fact: GatewayFact) => void = () => {};
  let named = panel;
  const actor = createActor(
    publisherMachine.provide({
      actors: {
        gateway: fromDriver<GatewayCommand, undefined, GatewayFact>(({ send, onEvent }) => {
          say = send;
          onEvent((command) => void told.push(command));
        }),
        readAnnounced: fromPromise<unknown>(options.read ?? (async () => options.stored ?? null)),
        keepAnnounced: fromPromise<void, AnnouncedEntities>(async ({ input }) => {
          await options.keep?.();
          kept.push(input);
        }),
      },
    }),
    { clock },
  );
  actor.start();
  await settle();
  const published = () => told.flatMap((command) => ('messages' in command ? command.messages : []));
  const t = {
    actor,
    told,
    kept,
    say: (fact: GatewayFact) => {
      if (fact.type === 'panel.changed') named = fact.panel;
      say(fact);
    },
    pass: async (ms: number) => {
      for (let left = ms; left > 0; left -= 100) {
        clock.increment(Math.min(100, left));
        await settle();
      }
    },
    facts: () => shownPublisher(actor.getSnapshot()),
    published,
    topics: () => published().map(({ topic }) => topic),
    hear: (topic: string, payload: string, retained = false) => {
      const event = incomingEvent(named, { topic, payload, retained });
      if (event !== null) say(event);
    },
    echo: () => t.hear('sconce/hall/barrier/aaaaaaaa', 'echo'),
    link: (session = 1, panelId = 'hall') => say({ type: 'link.changed', connected: true, session, panelId }),
    start: async () => {
      t.say({ type: 'panel.changed', panel });
      say({ type: 'row.changed', key: 'volume', state: '40', available: true, attributes: null });
      t.link();
      t.echo();
      t.hear('sconce/hall/owner', US);
      t.echo();
      await settle();
    },
  };
  return t;
};

describe('the publisher', () => {
  it('claims a free panel id, remembers, announces, is live', async () => {
    const t = await run();
    await t.start();
    expect(t.facts()).toMatchObject({ phase: 'live', announced: [{ key: 'volume', entityKind: 'number' }], ghosts: 0 });
    expect(t.kept[0]?.devices[0]?.entries).toEqual([{ key: 'volume', entityKind: 'number', state: 'here' }]);
    expect(t.topics().slice(-4)).toEqual([
      'homeassistant/device/sconce_hall/config',
      'sconce/hall/volume/state',
      'sconce/hall/volume/availability',
      'sconce/hall/status/aaaaaaaa',
    ]);
  });

  it('waits for a link that was made for its panel id', async () => {
    const t = await run();
    t.say({ type: 'panel.changed', panel });
    t.link(1, 'old');
    expect(t.facts().phase).toBe('waiting');
    t.link(2);
    expect(t.facts().phase).toBe('claiming');
    t.say({ type: 'link.changed', connected: false, session: 0, panelId: null });
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
    for (const fault of faults) expect(fault).toEqual({ type: 'fault', operation: 'ledger-keep', error });
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
    const t = await run();
    t.say({ type: 'panel.changed', panel });
    t.link();
    t.hear('sconce/hall/owner', OTHER, true);
    t.hear('sconce/hall/status/bbbbbbbb', 'online', true);
    t.echo();
    expect(t.facts()).toMatchObject({ phase: 'duplicate' });
    expect(t.facts().advice).not.toBeNull();
    expect(t.topics()).not.toContain('homeassistant/device/sconce_hall/config');
    t.hear('sconce/hall/volume/set', '5');
    expect(t.told.some(({ type }) => type === 'gateway.run')).toBe(false);
    t.hear('sconce/hall/status/bbbbbbbb', 'offline');
    await t.pass(4000);
    t.hear('sconce/hall/status/bbbbbbbb', 'online');
    await t.pass(6000);
    expect(t.facts().phase).toBe('duplicate');
    t.hear('sconce/hall/status/bbbbbbbb', 'offline');
    await t.pass(5100);
    expect(t.facts().phase).toBe('claiming');
    expect(t.facts().advice).toBeNull();
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
    t.hear('sconce/hall/owner', OTHER);
    expect(t.facts().phase).toBe('duplicate');
    expect(t.published().at(-1)).toMatchObject({ topic: 'sconce/hall/status/aaaaaaaa', payload: 'offline' });
  });

  it('publishes a row when its value changed, and nothing when it did not', async () => {
    const t = await run();
    await t.start();
    const before = t.published().length;
    const row = { type: 'row.changed' as const, key: 'volume', attributes: null };
    t.say({ ...row, state: '40', available: true });
    expect(t.published()).toHaveLength(before);
    t.say({ ...row, state: '41', available: true });
    expect(t.published().slice(before)).toEqual([
      { topic: 'sconce/hall/volume/state', payload: '41', retain: true, qos: 0 },
    ]);
    t.say({ ...row, state: null, available: false });
    expect(t.published().at(-1)).toMatchObject({ topic: 'sconce/hall/volume/availability', payload: 'offline' });
  });

  it('runs live commands only, and notes each kind of refusal once', async () => {
    const t = await run();
    await t.start();
    t.hear('sconce/hall/volume/set', '7', true);
    expect(t.told.some(({ type }) => type === 'gateway.run')).toBe(false);
    t.hear('sconce/hall/volume/set', '7');
    expect(t.told.at(-1)).toEqual({ type: 'gateway.run', key: 'volume', value: 7 });
    t.hear('sconce/hall/volume/set', 'x');
    t.hear('sconce/hall/volume/set', 'y');
    t.say({ type: 'command.refused', key: 'volume', reason: 'absent' });
    expect(t.told.slice(-3)).toMatchObject([
      {
        type: 'gateway.refuse',
        reason: 'malformed',
        first: true,
        messages: [{ payload: '40' }, { payload: 'online' }],
      },
      { type: 'gateway.refuse', reason: 'malformed', first: false },
      { type: 'gateway.refuse', reason: 'absent', first: true },
    ]);
    expect(t.facts().refusedCommands).toBe(3);
    t.hear('sconce/hall/unknown/set', 'x');
    expect(t.facts().refusedCommands).toBe(3);
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
    expect(t.facts()).toMatchObject({ phase: 'live', ghosts: 1, due: 0 });
    t.hear('homeassistant/status', 'online', true);
    expect(t.facts()).toMatchObject({ homeAssistantSeen: false, ghosts: 1, due: 0 });
    t.hear('homeassistant/status', 'online');
    await t.pass(4100);
    expect(t.facts()).toMatchObject({ phase: 'live', homeAssistantSeen: true, ghosts: 0 });
    expect(t.kept.at(-1)?.devices).toEqual([]);
    t.hear('homeassistant/status', 'offline');
    expect(t.facts().homeAssistantSeen).toBe(false);
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
    expect(t.facts()).toMatchObject({ phase: 'live', ghosts: 1 });
    t.hear('homeassistant/status', 'online');
    await t.pass(1100);
    t.hear('homeassistant/status', 'offline');
    t.hear('homeassistant/status', 'online');
    await t.pass(3100);
    expect(t.facts()).toMatchObject({ phase: 'live', ghosts: 0 });
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
    expect(t.facts()).toMatchObject({ phase: 'live', ghosts: 0 });
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

  it('ends as failed when its gateway crashes', () => {
    const broken = createActor(
      publisherMachine.provide({
        actors: {
          gateway: fromDriver<GatewayCommand, undefined, GatewayFact>(() => {
            throw new Error('x');
          }),
          readAnnounced: fromPromise<unknown>(async () => null),
          keepAnnounced: fromPromise<void, AnnouncedEntities>(async () => {}),
        },
      }),
    );
    broken.subscribe({ error: () => {} });
    broken.start();
    expect(broken.getSnapshot()).toMatchObject({
      status: 'done',
      output: { ended: 'failed', reason: 'surface' },
    });
  });
});
