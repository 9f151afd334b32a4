import { SimulatedClock } from 'xstate';
import { afterEach, describe, expect, it } from 'vitest';

import { serveRows } from '#actors/companion/native-bridge.ts';
import type { Admission, AnsweredAtPanel } from '#actors/kit/admission.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { AnyActor } from '#machines/actors.ts';
import type { BridgeCommand, BridgeFact, CompanionExchange, SessionMessage } from '#machines/companion/events.ts';
import type { Issue } from '#machines/companion/issues.ts';
import type { PanelMessage } from '#machines/companion/messages.ts';
import type { AnyRow, EntityRow } from '#machines/kit/entity.ts';
import { ok } from '#machines/kit/result.ts';
import { runDriver } from '#test/drivers/run-driver.ts';
import { type FakeAdmission, fakeAdmission, waits } from '#test/fakes/admission.ts';
import { settle } from '#test/fakes/kit-clock.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';

interface Facts {
  readonly on: boolean | null;
  readonly lit: number;
  readonly happened: readonly { readonly sequence: number; readonly type: string; readonly attributes: object }[];
  readonly here: boolean;
}
const first: Facts = { on: false, lit: 10, happened: [], here: true };
const factsOf = (context: unknown): Facts => context as Facts;

const switchRow = (key: string, protects: string | null): AnyRow => ({
  entityKind: 'switch',
  key,
  name: key,
  actor: 'power',
  available: ({ context }) => factsOf(context).here,
  read: ({ context }) => factsOf(context).on,
  protects,
  write: (on: boolean) => ok({ do: 'tell', event: { type: 'switch', key, on } }),
});
const rows: readonly AnyRow[] = [
  switchRow('fan', null),
  switchRow('gate', 'DEVICE_REBOOT'),
  {
    entityKind: 'light',
    key: 'screen',
    name: 'Screen',
    actor: 'power',
    modes: { colour: 'level', effects: ['slow'] },
    available: () => true,
    read: ({ context }) => ({ on: true, brightness: factsOf(context).lit }),
    protects: null,
    write: (command) => ok({ do: 'tell', event: { type: 'light', ...command } }),
  },
  {
    entityKind: 'event',
    key: 'button',
    name: 'Button',
    actor: 'power',
    eventTypes: ['press'],
    available: () => true,
    read: ({ context }) => factsOf(context).happened as never,
  },
  {
    entityKind: 'sensor',
    key: 'extra',
    name: 'Extra',
    actor: 'volume',
    precision: 1,
    shown: ({ context }) => (context as { readonly shown: boolean }).shown,
    available: () => true,
    read: () => 2,
  },
];

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** The bridge of these rows; the test is the sessions. */
function start({
  surface = 'native',
  admission = fakeAdmission('hardened'),
  offered = [],
  areKnown = true,
}: {
  readonly surface?: 'mqtt' | 'native';
  readonly admission?: FakeAdmission;
  readonly offered?: readonly string[];
  /** False while the panel looks at its parts. */
  areKnown?: boolean;
} = {}) {
  const clock = new SimulatedClock();
  const registry = fakeRegistry({
    identity: {
      panelId: 'hall',
      installId: 'a'.repeat(32),
      friendlyName: 'Hall',
      manufacturer: 'Maker',
      model: 'X',
      version: '1',
    },
    settings: { revision: 1, values: {}, expose: {} },
    'active-profile': { absent: [], optional: [] },
    readings: { reading: { address: '192.0.2.7' } },
    http: { port: 8888 },
    power: first,
    volume: { shown: false },
    companion: { sessions: [{ session: 1, client: { clientId: 'c1' } }] },
    approvals: { happened: [], standing: { pending: 1, approved: 0 } },
  });
  const sent: [number, PanelMessage][] = [];
  const issues: Issue[] = [];
  let tellIssue: (issue: Issue) => void = () => {};
  let finishLook = (): void => {};
  let sessions: Parameters<CompanionExchange['serve']>[0] | null = null;
  const driver = runDriver<BridgeCommand, BridgeFact>(
    fromDriver(
      serveRows({
        registry,
        exchange: {
          send: (session, message) => {
            sent.push([session, message]);
            return true;
          },
          serve: (served) => {
            sessions = served;
            return () => {
              sessions = null;
            };
          },
        },
        // The rows send what no actor of the agent takes.
        rows: rows as unknown as readonly EntityRow<AnyActor>[],
        admission,
        issues: ({ changed, known }) => {
          tellIssue = changed;
          finishLook = () => {
            areKnown = true;
            known();
          };
          return { told: () => issues, areKnown: () => areKnown, stop: () => (tellIssue = () => {}) };
        },
        elapsed: () => clock.now(),
        after: (ms, fn) => {
          const timer = clock.setTimeout(fn, ms);
          return () => clock.clearTimeout(timer);
        },
      }),
    ),
  );
  stops.push(driver.stop);
  driver.tell({ type: 'bridge.surface', surface, offered });
  const bridge = {
    ...driver,
    clock,
    registry,
    admission,
    /** What a session got since the last look. */
    got: (session = 1) => {
      const own = sent.filter(([to]) => to === session).map(([, message]) => message);
      sent.splice(0);
      return own;
    },
    results: () => bridge.got().filter(({ type }) => type === 'result'),
    open: (session = 1) => sessions?.opened(session),
    close: (session = 1) => sessions?.closed(session),
    set: (id: number, k: string, v: SessionMessage['message']['v'], deadline = 8000, session = 1) =>
      sessions?.received({ session, message: { type: 'set', id, k, v, deadline } }),
    put: (change: Partial<Facts>) => registry.put('power', { ...first, ...change }),
    /** The panel has one more issue. */
    need: (issue: Issue) => {
      issues.push(issue);
      tellIssue(issue);
    },
    finishLook: () => finishLook(),
    told: () => registry.told.filter(({ id }) => id === 'power').map(({ event }) => event),
  };
  return bridge;
}

const kinds = (messages: readonly PanelMessage[]): readonly string[] =>
  messages.map((message) => ('k' in message ? `${message.type} ${message.k}` : message.type));
const everything = ['catalogue', 'state fan', 'state gate', 'state screen', 'state button', 'synced'];
const done = (id: number) => ({ type: 'result', id, ok: true });
const refused = (id: number, code: string) => ({ type: 'result', id, ok: false, code, message: expect.any(String) });

describe('a session', () => {
  it('gets the catalogue, all states, and the end of them', () => {
    const bridge = start();
    bridge.open();
    const all = bridge.got();
    expect(kinds(all)).toEqual(everything);
    expect(all[0]).toMatchObject({
      rev: 1,
      panel: {
        id: 'hall',
        name: 'Hall',
        manufacturer: 'Maker',
        model: 'X',
        version: '1',
        configuration_url: 'http://192.0.2.7:8888/',
      },
      items: [
        { k: 'fan', platform: 'switch', object_id: 'fan', enabled: true },
        { k: 'gate', timeout: 60_000 },
        { k: 'screen', platform: 'light', modes: ['brightness'], effects: ['slow'] },
        { k: 'button', platform: 'event', event_types: ['press'] },
      ],
    });
    expect(all[1]).toEqual({ type: 'state', k: 'fan', available: true, v: false });
    expect(all[3]).toEqual({
      type: 'state',
      k: 'screen',
      available: true,
      v: { on: true, brightness: 10, rgb: null, effect: null },
    });
  });

  it('gets what changes after that, each row by itself', () => {
    const bridge = start();
    bridge.open();
    bridge.got();
    bridge.put({ lit: 20 });
    expect(kinds(bridge.got())).toEqual(['state screen']);
    bridge.put({ lit: 20, here: false });
    expect(bridge.got()).toMatchObject([
      { k: 'fan', available: false },
      { k: 'gate', available: false },
    ]);
    bridge.registry.put('power', undefined);
    expect(bridge.got()).toMatchObject([
      { k: 'fan', available: false, v: null },
      { k: 'gate', available: false, v: null },
      { k: 'screen', available: false, v: null },
      { k: 'button', available: false },
    ]);
  });

  it('gets each event once, and none from before', () => {
    const bridge = start();
    const press = (sequence: number) => ({ sequence, type: 'press', attributes: { hand: 'left' } });
    bridge.put({ happened: [press(1)] });
    bridge.open();
    expect(kinds(bridge.got())).toEqual(everything);
    bridge.put({ happened: [press(1), press(2)] });
    bridge.put({ happened: [press(1), press(2)] });
    bridge.open(2);
    expect(bridge.got(1)).toEqual([{ type: 'event', k: 'button', n: 2, event: 'press', data: { hand: 'left' } }]);
    // The actor restarted, and counts from 1 again.
    bridge.put({ happened: [press(1)] });
    expect(bridge.got(2)).toEqual([{ type: 'event', k: 'button', n: 3, event: 'press', data: { hand: 'left' } }]);
  });

  it('gets a new catalogue when a row comes, and the row stays when its hardware goes', () => {
    const bridge = start();
    bridge.open();
    bridge.got();
    bridge.registry.put('volume', { shown: true });
    const all = bridge.got();
    expect(kinds(all)).toEqual([...everything.slice(0, -1), 'state extra', 'synced']);
    expect(all[0]).toMatchObject({ rev: 2 });
    bridge.registry.put('volume', { shown: false });
    expect(bridge.got()).toEqual([]);
  });

  it('gets a row that was offered before a restart, though its hardware is missing', () => {
    const bridge = start({ offered: ['extra'] });
    bridge.open();
    expect(kinds(bridge.got())).toContain('state extra');
  });

  it('gets texts of at most 255 characters, also in what goes with an event', () => {
    const bridge = start();
    bridge.open();
    bridge.got();
    bridge.put({ happened: [{ sequence: 1, type: 'press', attributes: { hand: '😀'.repeat(300) } }] });
    expect(bridge.got()).toMatchObject([{ type: 'event', data: { hand: '😀'.repeat(255) } }]);
  });

  it('gets the issues of the panel before the end of the states, and news of them after it', () => {
    const bridge = start();
    const issue = (id: string): Issue => ({ type: 'issue', id, severity: 'error', title: id, text: id });
    bridge.need(issue('storage'));
    bridge.open();
    const all = bridge.got();
    expect(kinds(all)).toEqual([...everything.slice(0, -1), 'issue', 'synced']);
    expect(all.at(-2)).toEqual(issue('storage'));
    bridge.need(issue('zigbee'));
    expect(bridge.got()).toEqual([issue('zigbee')]);
    // A new catalogue is none of a new session.
    bridge.registry.put('volume', { shown: true });
    expect(kinds(bridge.got())).not.toContain('issue');
    bridge.open(2);
    expect(bridge.got(2).filter(({ type }) => type === 'issue')).toEqual([issue('storage'), issue('zigbee')]);
    bridge.stop();
    bridge.need(issue('late'));
    expect(bridge.got()).toEqual([]);
  });

  it('is told that the panel still looks at its parts, and when that is over', () => {
    const bridge = start({ areKnown: false });
    bridge.open();
    expect(bridge.got().at(-1)).toEqual({ type: 'synced', checking: true });
    bridge.finishLook();
    expect(bridge.got()).toEqual([{ type: 'synced' }]);
    bridge.open(2);
    expect(bridge.got(2).at(-1)).toEqual({ type: 'synced' });
  });

  it('gets nothing while the panel is not known', () => {
    const bridge = start();
    bridge.close();
    expect(bridge.got()).toEqual([]);
  });
});

describe('on the way through the broker', () => {
  it('a session gets an empty catalogue, and no command is carried out', () => {
    const bridge = start({ surface: 'mqtt' });
    bridge.open();
    expect(bridge.got()).toMatchObject([{ type: 'catalogue', items: [] }, { type: 'synced' }]);
    bridge.put({ on: true });
    bridge.set(1, 'fan', true);
    expect([bridge.got(), bridge.told()]).toEqual([[refused(1, 'other-surface')], []]);
  });

  it('a move gives and takes all rows', () => {
    const bridge = start({ surface: 'mqtt' });
    bridge.open();
    bridge.got();
    bridge.tell({ type: 'bridge.surface', surface: 'native', offered: [] });
    expect(kinds(bridge.got())).toEqual(everything);
    bridge.tell({ type: 'bridge.surface', surface: 'mqtt', offered: [] });
    expect(bridge.got()).toMatchObject([{ type: 'catalogue', items: [] }, { type: 'synced' }]);
  });
});

describe('a command', () => {
  it('is carried out and answered once', () => {
    const bridge = start();
    bridge.open();
    bridge.got();
    bridge.set(1, 'fan', true);
    expect([bridge.told(), bridge.got()]).toEqual([[{ type: 'switch', key: 'fan', on: true }], [done(1)]]);
    bridge.clock.increment(60_000);
    expect(bridge.got()).toEqual([]);
    expect(bridge.facts).toContainEqual({ type: 'command.ended', code: null });
  });

  it.each<[string, string, SessionMessage['message']['v'], string]>([
    ['of no row', 'nothing', true, 'unknown-entity'],
    ['of a row that is hidden', 'extra', null, 'unknown-entity'],
    ['of a row that only reports', 'button', null, 'not-commandable'],
    ['that does not fit', 'fan', 'on', 'malformed'],
    ['with an effect that there is not', 'screen', { effect: 'fast' }, 'not-an-option'],
  ])('%s is refused', (_, key, value, code) => {
    const bridge = start();
    bridge.open();
    bridge.got();
    bridge.set(1, key, value);
    expect([bridge.got(), bridge.told()]).toEqual([[refused(1, code)], []]);
    expect(bridge.facts).toContainEqual({ type: 'command.ended', code });
  });

  it('to a part that does not run says so', () => {
    const bridge = start();
    bridge.open();
    bridge.registry.put('power', undefined);
    bridge.got();
    bridge.set(1, 'fan', true);
    expect(bridge.got()).toEqual([refused(1, 'absent')]);
  });

  it('that comes again is not carried out again', () => {
    const bridge = start();
    bridge.open();
    bridge.got();
    bridge.set(2, 'fan', true);
    bridge.set(2, 'fan', true);
    bridge.set(1, 'fan', true);
    expect([bridge.told().length, bridge.results()]).toEqual([1, [done(2)]]);
    bridge.close();
    bridge.open();
    bridge.set(1, 'fan', false);
    expect(bridge.results()).toEqual([done(1)]);
  });

  it('of a session that is not open, or is over, is ignored', () => {
    const bridge = start();
    bridge.set(1, 'fan', true);
    bridge.open();
    bridge.close();
    bridge.set(2, 'fan', true);
    expect(bridge.told()).toEqual([]);
  });

  it('in a flood is replaced by the newest of its row, which is told of each', () => {
    const bridge = start();
    bridge.open();
    bridge.got();
    const many = 400;
    for (let id = 1; id <= many; id += 1) bridge.set(id, 'fan', id % 2 === 0);
    bridge.clock.increment(1000);
    const results = bridge.results();
    expect(new Set(results.map((one) => (one.type === 'result' ? one.id : 0))).size).toBe(many);
    expect(results).toHaveLength(many);
    expect(results).toContainEqual(refused(many - 1, 'superseded'));
    expect(results).toContainEqual(done(many));
    expect(bridge.told().length).toBeLessThan(many);
    expect(bridge.told().at(-1)).toEqual({ type: 'switch', key: 'fan', on: true });
  });

  it('for a light in a flood carries out what it joined', () => {
    const bridge = start();
    bridge.open();
    bridge.got();
    for (let id = 1; id <= 300; id += 1) bridge.set(id, 'fan', true);
    bridge.set(301, 'screen', { brightness: 9 });
    bridge.set(302, 'screen', { effect: 'slow' });
    bridge.clock.increment(1000);
    expect(bridge.results()).toEqual(expect.arrayContaining([done(301), done(302)]));
    expect(bridge.told()).toContainEqual({ type: 'light', brightness: 9, effect: 'slow' });
  });
});

describe('a protected command', () => {
  /** One that waits for a person. */
  async function waiting(deadline = 60_000) {
    let answer: (how: AnsweredAtPanel) => void = () => {};
    const bounds: number[] = [];
    const fake = fakeAdmission('hardened');
    fake.answer = () => waits;
    const whenAnswered: Admission['whenAnswered'] = (_, boundMs) => {
      bounds.push(boundMs);
      return new Promise((resolve) => {
        answer = resolve;
      });
    };
    const bridge = start({ admission: { ...fake, whenAnswered } });
    bridge.open();
    bridge.got();
    bridge.set(1, 'gate', true, deadline);
    await settle();
    return {
      ...bridge,
      bounds,
      decide: async (how: AnsweredAtPanel) => {
        if (how === 'approved') fake.answer = () => ({ ok: true });
        answer(how);
        await settle();
      },
    };
  }

  it('asks in the name of its Home Assistant, and waits no longer than its caller', async () => {
    const bridge = await waiting(8000);
    expect(bridge.admission.asked).toMatchObject([
      { operation: 'DEVICE_REBOOT', peer: 'companion:c1', trusted: false },
    ]);
    expect([bridge.results(), bridge.told(), bridge.bounds]).toEqual([[], [], [8000]]);
  });

  it('is carried out once it is approved in time', async () => {
    const bridge = await waiting();
    await bridge.decide('approved');
    expect([bridge.told(), bridge.results()]).toEqual([[{ type: 'switch', key: 'gate', on: true }], [done(1)]]);
  });

  it('ends when it is denied', async () => {
    const bridge = await waiting();
    await bridge.decide('denied');
    expect([bridge.told(), bridge.results()]).toEqual([[], [refused(1, 'denied')]]);
  });

  it('ends at its deadline, and an approval after that carries out nothing', async () => {
    const bridge = await waiting();
    bridge.clock.increment(60_000);
    expect(bridge.results()).toEqual([refused(1, 'approval-required')]);
    await bridge.decide('approved');
    expect([bridge.told(), bridge.results()]).toEqual([[], []]);
    // The same call again uses the approval.
    bridge.set(2, 'gate', true);
    expect([bridge.told().length, bridge.results()]).toEqual([1, [done(2)]]);
  });

  it('of a session that is over is never carried out', async () => {
    const bridge = await waiting();
    bridge.close();
    await bridge.decide('approved');
    expect([bridge.told(), bridge.results()]).toEqual([[], []]);
  });
});
