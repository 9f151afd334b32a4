import { createActor, fromPromise, SimulatedClock } from 'xstate';
import { describe, expect, it } from 'vitest';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { AnnouncedEntities } from '#machines/publisher/announced.ts';
import type { BridgeCommand, BridgeFact, PublishedPanel, WithdrawOutcome } from '#machines/publisher/events.ts';
import { meaningIn } from '#machines/publisher/incoming.ts';
import { publisherMachine } from '#machines/publisher/machine.ts';
import { publisherView } from '#machines/publisher/phase.ts';

const US = 'a'.repeat(32);
const CONFIG = 'homeassistant/device/sconce_hall/config';
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
  shapes: [{ key: 'light', entityKind: 'sensor', name: 'Light', attributes: true }],
};
const earlier = (panelId: string, standing: string) => ({
  version: 1,
  devices: [{ panelId, prefix: 'homeassistant', entries: [{ key: 'old', platform: 'sensor', standing }] }],
});
async function settle(): Promise<void> {
  for (let n = 0; n < 10; n += 1) await Promise.resolve();
}

async function run(stored: unknown = null, keep: () => Promise<void> = async () => {}) {
  const told: BridgeCommand[] = [];
  const persisted: AnnouncedEntities[] = [];
  const answers: WithdrawOutcome[] = [];
  const clock = new SimulatedClock();
  let say: (fact: BridgeFact) => void = () => {};
  const actor = createActor(
    publisherMachine.provide({
      actors: {
        bridge: fromDriver<BridgeCommand, undefined, BridgeFact>(({ send, onEvent }) => {
          say = send;
          onEvent((command) => void told.push(command));
        }),
        readAnnounced: fromPromise<unknown>(async () => stored),
        persistAnnounced: fromPromise<void, AnnouncedEntities>(async ({ input }) => {
          await keep();
          persisted.push(input);
        }),
      },
    }),
    { clock },
  );
  actor.on('reply', ({ outcome }) => void answers.push(outcome));
  actor.start();
  await settle();
  const published = () => told.flatMap((command) => ('messages' in command ? command.messages : []));
  const t = {
    actor,
    persisted,
    answers,
    published,
    pass: async (ms: number) => {
      for (let left = ms; left > 0; left -= 100) {
        clock.increment(Math.min(100, left));
        await settle();
      }
    },
    facts: () => publisherView(actor.getSnapshot()),
    hear: (topic: string, payload: string) => {
      const event = meaningIn(panel, { topic, payload, retained: false });
      if (event !== null && event.type !== 'command') say(event);
    },
    echo: () => t.hear('sconce/hall/barrier/aaaaaaaa', 'echo'),
    unlink: () => say({ type: 'link.changed', connected: false, session: 0, panelId: null }),
    link: (session = 1) => say({ type: 'link.changed', connected: true, session, panelId: 'hall' }),
    name: () => say({ type: 'panel.changed', panel }),
    start: async (owner = US) => {
      t.name();
      t.link();
      t.hear('sconce/hall/owner', owner);
      t.echo();
      t.echo();
      await settle();
    },
    withdraw: async () => {
      actor.send({ type: 'publisher.withdraw', requestId: 'one' });
      await settle();
    },
  };
  return t;
}

/** Topics that were emptied, retained, in order. */
const emptied = (t: Awaited<ReturnType<typeof run>>): readonly string[] =>
  t
    .published()
    .filter(({ payload, retain }) => payload === '' && retain)
    .map(({ topic }) => topic);

describe('a withdrawal', () => {
  it('empties the discovery topic, then all that is retained, and is over when the broker has it', async () => {
    const t = await run();
    await t.start();
    expect(t.facts().phase).toBe('live');
    const before = t.published().length;
    await t.withdraw();
    // Never within a second of the payload before: Home Assistant loses such.
    expect([t.published().length, t.facts().phase]).toEqual([before, 'withdrawn']);
    await t.pass(1000);
    expect(emptied(t)).toEqual([CONFIG]);
    await t.pass(1000);
    expect(emptied(t)).toEqual([
      CONFIG,
      'sconce/hall/light/state',
      'sconce/hall/light/availability',
      'sconce/hall/light/attributes',
      'sconce/hall/status/aaaaaaaa',
      'sconce/hall/owner',
    ]);
    expect(t.published().at(-1)).toMatchObject({ topic: 'sconce/hall/barrier/aaaaaaaa', qos: 1 });
    expect(t.answers).toEqual([]);
    // The broker's own echoes of what was emptied mean nothing now.
    t.hear(CONFIG, '');
    t.hear('sconce/hall/owner', '');
    t.hear('sconce/hall/status/aaaaaaaa', '');
    expect(t.answers).toEqual([]);
    t.echo();
    await settle();
    expect(t.answers).toEqual([{ status: 'withdrawn', entities: 1 }]);
    // Whether Home Assistant ran is not known, so it is remembered as swept and not as there.
    expect(t.persisted.at(-1)?.devices).toEqual([
      { panelId: 'hall', prefix: 'homeassistant', entries: [{ key: 'light', entityKind: 'sensor', state: 'swept' }] },
    ]);
  });

  it('forgets what a Home Assistant that was seen has removed', async () => {
    const t = await run();
    await t.start();
    t.hear('homeassistant/status', 'online');
    await t.pass(2100);
    await t.withdraw();
    await t.pass(2000);
    t.echo();
    await settle();
    expect(t.persisted.at(-1)?.devices).toEqual([]);
  });

  it('takes the devices of earlier panel ids along, announced once more before', async () => {
    const t = await run(earlier('old_hall', 'due'));
    t.name();
    t.link();
    t.hear('sconce/hall/owner', US);
    t.echo();
    t.echo();
    await settle();
    expect(t.facts().phase).toBe('announcing');
    await t.withdraw();
    await t.pass(2000);
    t.echo();
    await settle();
    expect(t.answers).toEqual([{ status: 'withdrawn', entities: 2 }]);
    expect(emptied(t).slice(0, 2)).toEqual([CONFIG, 'homeassistant/device/sconce_old_hall/config']);
    const full = t.published().filter(({ topic, payload }) => topic === CONFIG && payload !== '');
    expect(full.length).toBeGreaterThan(1);
  });

  it('says so where the broker does not acknowledge it within 5 s, and stays silent', async () => {
    const t = await run();
    await t.start();
    await t.withdraw();
    await t.pass(4900);
    expect(t.answers).toEqual([]);
    await t.pass(100);
    expect(t.answers).toEqual([{ status: 'left', reason: 'silent', entities: 1, topics: [CONFIG] }]);
    expect(t.facts().phase).toBe('withdrawn');
  });

  it('says so where the connection is lost meanwhile', async () => {
    const t = await run();
    await t.start();
    await t.withdraw();
    t.unlink();
    expect(t.answers).toEqual([{ status: 'left', reason: 'away', entities: 1, topics: [CONFIG] }]);
    t.link(2);
    await t.pass(5000);
    expect(t.facts().phase).toBe('withdrawn');
  });

  it.each([
    ['here', { status: 'left', reason: 'away', entities: 1, topics: [CONFIG] }],
    ['due', { status: 'left', reason: 'away', entities: 1, topics: [CONFIG] }],
    ['swept', { status: 'nothing' }],
  ] as const)('cannot be made without a broker, of what is %s', async (standing, outcome) => {
    const t = await run(earlier('hall', standing));
    t.name();
    await t.withdraw();
    expect(t.answers).toEqual([outcome]);
    t.link();
    await t.pass(3000);
    expect([t.facts().phase, t.published()]).toEqual(['withdrawn', []]);
  });

  it('waits for nobody who has announced nothing', async () => {
    const t = await run();
    t.name();
    await t.withdraw();
    expect(t.answers).toEqual([{ status: 'nothing' }]);
  });

  it('never touches what another machine announced under the same panel id', async () => {
    const t = await run(earlier('hall', 'here'));
    t.name();
    t.link();
    t.hear('sconce/hall/owner', 'b'.repeat(32));
    t.hear('sconce/hall/status/bbbbbbbb', 'online');
    t.echo();
    await settle();
    expect(t.facts().phase).toBe('duplicate');
    await t.withdraw();
    await t.pass(3000);
    expect([t.answers, emptied(t)]).toEqual([[{ status: 'nothing' }], []]);
  });

  it('is answered while what was announced is not read yet, or whose the panel id is', async () => {
    const t = await run();
    t.name();
    t.link();
    expect(t.facts().phase).toBe('claiming');
    await t.withdraw();
    expect(t.answers).toEqual([{ status: 'nothing' }]);
  });
});

describe('a withdrawn panel', () => {
  const withdrawn = async (keep?: () => Promise<void>) => {
    const t = await run(null, keep);
    await t.start();
    await t.withdraw();
    await t.pass(2000);
    t.echo();
    await settle();
    return t;
  };

  it('announces nothing until it is released, whatever happens', async () => {
    const t = await withdrawn();
    const before = t.published().length;
    t.hear('homeassistant/status', 'online');
    t.actor.send({ type: 'panel.changed', panel: { ...panel, friendlyName: 'Other' } });
    t.unlink();
    t.link(2);
    await t.pass(20_000);
    expect(t.published()).toHaveLength(before);
    t.actor.send({ type: 'publisher.release' });
    expect(t.facts().phase).toBe('claiming');
    await t.pass(3000);
    expect(t.facts()).toMatchObject({ phase: 'live', announced: [{ key: 'light', entityKind: 'sensor' }] });
  });

  it('comes back by itself where nobody releases it', async () => {
    const t = await withdrawn();
    await t.pass(29_900);
    expect(t.facts().phase).toBe('withdrawn');
    await t.pass(3000);
    expect(t.facts().phase).toBe('live');
  });

  it('is withdrawn all the same where the disk refuses to remember it', async () => {
    let full = false;
    const t = await withdrawn(() => (full ? Promise.reject(new Error('ENOSPC')) : Promise.resolve()));
    full = true;
    t.actor.send({ type: 'publisher.release' });
    await t.pass(3000);
    await t.withdraw();
    await t.pass(2000);
    t.echo();
    await settle();
    expect(t.answers.at(-1)).toEqual({ status: 'withdrawn', entities: 1 });
    expect(t.facts().storeFault).toBe('not-kept');
  });
});
