import { once } from 'node:events';
import { type AddressInfo, createServer, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { createActor } from 'xstate';

import { ANSWER_MS } from '#drivers/home-assistant/bounded.ts';
import { homeAssistantConnection, type TokenRead } from '#drivers/home-assistant/connection.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import { homeAssistantMachine } from '#machines/home-assistant/machine.ts';
import { phaseOf } from '#machines/home-assistant/phase.ts';
import { endKindOf } from '#machines/home-assistant/end-kind.ts';
import type { ConnectionFact, Topic } from '#machines/home-assistant/events.ts';
import { excessStore } from '#test/fakes/excess-store.ts';
import { runDriver } from '../run-driver.ts';
import { type FakeHomeAssistant, startFakeHomeAssistant } from '../sign-in/fake-home-assistant.ts';

type Fact<T extends ConnectionFact['type']> = Extract<ConnectionFact, { readonly type: T }>;
/** Longest wait for being let in. */
const LET_IN_MS = 10_000;
type Message = Readonly<Record<string, unknown>>;

/** The area of the fake house, as it is read. */
const hall = { id: 'hall', name: 'Hall', floorId: null, labels: [] };

const of =
  <T extends ConnectionFact['type']>(type: T) =>
  (fact: ConnectionFact): fact is Fact<T> =>
    fact.type === type;

let home: FakeHomeAssistant;
let ends: (() => void)[] = [];

/** Answers to commands by their type; what is not among them is refused. */
const results = (extra: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> => ({
  get_config: { state: 'RUNNING' },
  'auth/current_user': { id: 'u', is_owner: false, is_admin: true },
  subscribe_events: null,
  'config/area_registry/list': [{ area_id: 'hall', name: 'Hall' }, { area_id: 7 }, 'nonsense'],
  ...extra,
});
function send(socket: WebSocket, ...messages: readonly unknown[]): void {
  for (const message of messages) socket.send(typeof message === 'string' ? message : JSON.stringify(message));
}
const converse =
  (answers: Readonly<Record<string, unknown>>) =>
  (message: Message, socket: WebSocket): void => {
    const { id, type } = message;
    if (type === 'auth') send(socket, { type: 'auth_ok', ha_version: '2026.11.0' });
    else if (type === 'ping') send(socket, { id, type: 'pong' });
    else if (typeof type === 'string' && type in answers)
      send(socket, { id, type: 'result', success: true, result: answers[type] });
    else send(socket, { id, type: 'result', success: false, error: { code: 'unauthorized', message: 'marker' } });
  };

function connect(
  read: (force: boolean) => Promise<TokenRead> = () =>
    Promise.resolve({ ok: true, token: 'marker-token', origin: home.origin }),
  elapsed = () => performance.now(),
) {
  const routes: unknown[] = [];
  const driver = runDriver(
    homeAssistantConnection({
      readToken: read,
      trustFor: () => Promise.resolve(undefined),
      elapsed,
      now: () => 9,
      isInForce: () => true,
      onRoute: (route) => void routes.push(route),
    }),
    { generation: 3, forceToken: false },
  );
  ends.push(driver.stop);
  return { ...driver, routes };
}
const subscription = (event: string): Message | undefined =>
  home.messages.find(({ event_type: type }) => type === event);

beforeEach(async () => {
  home = await startFakeHomeAssistant();
  home.converse = converse(results());
});
afterEach(async () => {
  for (const end of ends) end();
  ends = [];
  vi.useRealTimers();
  await home.stop();
});

describe('a connection to Home Assistant', () => {
  it('signs in, hears events and measures', async () => {
    const driver = connect(undefined, () => 7);
    expect(await driver.until(of('socket.live'))).toEqual({
      type: 'socket.live',
      generation: 3,
      at: 7,
      running: 'running',
      hearsEvents: true,
      family: 'ipv4',
    });
    expect(await driver.until(of('socket.probed'))).toMatchObject({ answeredMs: 0, at: 7 });
    expect(home.messages[0]).toEqual({ type: 'auth', access_token: 'marker-token' });
    expect(driver.routes).toEqual([{ address: '127.0.0.1', family: 'ipv4' }]);
    expect(JSON.stringify(driver.facts)).not.toMatch(/127\.0\.0\.1|marker/);
  });

  it.each([
    ['STARTING', 'starting'],
    ['NOT_RUNNING', 'starting'],
    ['STOPPING', 'stopping'],
    ['FINAL_WRITE', 'stopping'],
  ])('tells %s', async (state, running) => {
    home.converse = converse(results({ get_config: { state } }));
    expect(await connect().until(of('socket.live'))).toMatchObject({ running });
  });

  it.each([
    ['that is no administrator', { 'auth/current_user': { is_owner: false, is_admin: false } }],
    ['whose rights are not told', { 'auth/current_user': null }],
  ])('asks for no event with an account %s', async (_, extra) => {
    home.converse = converse(results(extra));
    const driver = connect();
    expect(await driver.until(of('socket.live'))).toMatchObject({ hearsEvents: false });
    await driver.until(of('socket.probed'));
    expect(home.messages.map(({ type }) => type)).toEqual(['auth', 'auth/current_user', 'get_config', 'ping']);
  });

  it('takes no silence about the rights of an account for an answer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const answers = converse(results());
    home.converse = (message, socket) => {
      if (message['type'] !== 'auth/current_user') answers(message, socket);
    };
    const driver = connect();
    await vi.waitFor(() => expect(home.messages.map(({ type }) => type)).toContain('auth/current_user'));
    vi.advanceTimersByTime(ANSWER_MS);
    await driver.until(of('socket.ended'));
    expect(driver.facts.some(({ type }) => type === 'socket.live')).toBe(false);
  });

  it('is no error for an administrator to whom the events are refused', async () => {
    const answers = converse(results());
    home.converse = (message, socket) =>
      answers(message['type'] === 'subscribe_events' ? { ...message, type: 'unknown' } : message, socket);
    expect(await connect().until(of('socket.live'))).toMatchObject({ hearsEvents: false });
  });

  it('tells what Home Assistant says of itself', async () => {
    const driver = connect();
    await driver.until(of('socket.live'));
    for (const [event, notice] of [
      ['homeassistant_stop', 'stopping'],
      ['homeassistant_start', 'starting'],
      ['homeassistant_started', 'started'],
    ] as const) {
      const from = driver.facts.length;
      const { id } = subscription(event) ?? {};
      send(home.sockets()[0]!, { id, type: 'event', event: { event_type: event } });
      expect(await driver.until(of('socket.notice'), from)).toMatchObject({ notice });
    }
  });

  it('takes no answer for newer than an event that came with it', async () => {
    const others = converse(results());
    const started = { type: 'event', event: { event_type: 'homeassistant_started' } };
    home.converse = (message, socket) => {
      const { id, type } = message;
      if (type !== 'get_config') return others(message, socket);
      const answer = { id, type: 'result', success: true, result: { state: 'STARTING' } };
      return send(socket, [answer, { ...started, id: subscription('homeassistant_started')?.['id'] }]);
    };
    const driver = connect();
    expect(await driver.until(of('socket.live'))).toMatchObject({ running: 'running' });
    const from = driver.facts.length;
    driver.tell({ type: 'socket.ask-running' });
    expect(await driver.until(of('socket.running'), from)).toMatchObject({ running: 'running' });
    expect(driver.facts.filter(of('socket.notice')).map(({ notice }) => notice)).toEqual(['started', 'started']);
  });

  it.each([
    ['was told to stop', { domain: 'homeassistant', service: 'restart' }, ['stopping']],
    ['was told something else', { domain: 'light', service: 'turn_on' }, []],
  ])('that is closed in order by one that %s', async (_, data, notices) => {
    const driver = connect();
    await driver.until(of('socket.live'));
    const { id } = subscription('call_service') ?? {};
    send(home.sockets()[0]!, { id, type: 'event', event: { event_type: 'call_service', data } });
    for (const socket of home.sockets()) socket.close(1000);
    expect(await driver.until(of('socket.ended'))).toMatchObject({ code: 'closed-in-order' });
    expect(driver.facts.filter(of('socket.notice')).map(({ notice }) => notice)).toEqual(notices);
  });

  it('ends with the code of why', async () => {
    home.converse = (_, socket) => send(socket, { type: 'auth_invalid', message: 'marker' });
    expect(await connect().until(of('socket.ended'))).toEqual({
      type: 'socket.ended',
      generation: 3,
      code: 'auth-invalid',
      at: expect.any(Number),
    });
    home.converse = converse(results());
    const closed = connect();
    await closed.until(of('socket.live'));
    for (const socket of home.sockets()) socket.close();
    expect(await closed.until(of('socket.ended'))).toMatchObject({ code: 'closed' });
    const { origin } = home;
    await home.stop();
    const absent = connect(() => Promise.resolve({ ok: true, token: 'x', origin }));
    expect(await absent.until(of('socket.ended'))).toMatchObject({ code: 'ECONNREFUSED' });
    home = await startFakeHomeAssistant();
  });

  it('ends without a token', async () => {
    const driver = connect(() => Promise.resolve({ ok: false, code: 'ETIMEDOUT' }));
    expect(await driver.until(of('socket.ended'))).toMatchObject({ code: 'ETIMEDOUT' });
  });

  it('that is not let in in time ends as the server’s own failure', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    home.converse = () => {};
    const driver = connect();
    await vi.waitFor(() => expect(home.messages).toHaveLength(1));
    vi.advanceTimersByTime(LET_IN_MS);
    const { code } = await driver.until(of('socket.ended'));
    expect([code, endKindOf(code)]).toEqual(['not-let-in', 'server']);
  });

  it('that is taken and told nothing at all ends as the server’s own failure', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const mute = createServer().listen(0, '127.0.0.1');
    await once(mute, 'listening');
    // A listening TCP server has an AddressInfo.
    const { port } = mute.address() as AddressInfo;
    const asked = once(mute, 'connection').then(([socket]: Socket[]) => once(socket!, 'data').then(() => socket));
    const driver = connect(() => Promise.resolve({ ok: true, token: 'x', origin: `http://127.0.0.1:${port}` }));
    const socket = await asked;
    vi.advanceTimersByTime(LET_IN_MS);
    expect(await driver.until(of('socket.ended'))).toMatchObject({ code: 'not-let-in' });
    socket?.destroy();
    mute.close();
  });

  it('of which nothing came at all ends as a loss', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const connecting = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket) {
      // As one that waits for an answer: what is written waits for it, too.
      return Object.assign(this, { connecting: true });
    });
    const driver = connect();
    await vi.waitFor(() => expect(connecting).toHaveBeenCalled());
    connecting.mockRestore();
    vi.advanceTimersByTime(LET_IN_MS);
    const { code } = await driver.until(of('socket.ended'));
    expect([code, endKindOf(code)]).toEqual(['no-answer', 'network']);
  });

  it('is no worse for what is no message', async () => {
    const warned = vi.spyOn(console, 'warn');
    const driver = connect();
    await driver.until(of('socket.live'));
    const [socket] = home.sockets();
    send(
      socket!,
      'nonsense',
      '[1,null]',
      'null',
      '{"type":"pong","id":99}',
      '{"id":1,"type":"result"}',
      '{"type":"event","id":77}',
    );
    socket!.send(Buffer.from([1, 2, 3]));
    driver.tell({ type: 'socket.ask-running' });
    expect(await driver.until(of('socket.running'))).toMatchObject({ running: 'running' });
    expect(driver.crashed()).toBeUndefined();
    expect(warned).not.toHaveBeenCalled();
  });

  it.each([
    ['message-too-large', () => `{"id":1,"event":"${'a'.repeat(16 * 1024 * 1024)}"}`],
    ['message-too-deep', () => `{"id":1,"type":"event","event":${'['.repeat(8_000_000)}`],
    ['message-too-many', () => `{"id":1,"type":"event","event":[${'{},'.repeat(1_000_000)}{}]}`],
  ])('ends with %s before that is parsed', async (code, message) => {
    const driver = connect();
    await driver.until(of('socket.live'));
    const parsed = vi.spyOn(JSON, 'parse');
    send(home.sockets()[0]!, message());
    expect(await driver.until(of('socket.overrun'))).toEqual({
      type: 'socket.overrun',
      generation: 3,
      code,
      at: expect.any(Number),
      moment: 9,
    });
    expect(parsed.mock.calls.every(([text]) => text.length < 1000)).toBe(true);
    parsed.mockRestore();
    await vi.waitFor(() => expect(home.sockets()).toEqual([]));
    expect(driver.facts.some(of('socket.ended'))).toBe(false);
  });

  it('ends with too deep a message also before it is let in', async () => {
    home.converse = (_, socket) => send(socket, '['.repeat(1000));
    expect(await connect().until(of('socket.overrun'))).toMatchObject({ code: 'message-too-deep' });
  });

  it('closes its socket when it is stopped, and leaves no rejection behind', async () => {
    const driver = connect();
    await driver.until(of('socket.live'));
    home.converse = () => {};
    driver.tell({ type: 'socket.read', requestId: 'a', topic: { kind: 'areas' } });
    driver.tell({ type: 'socket.watch', topics: [{ kind: 'devices' }, { kind: 'entity', entityId: 'sun.sun' }] });
    await vi.waitFor(() => expect(home.messages.some(({ type }) => type === 'subscribe_entities')).toBe(true));
    driver.stop();
    await driver.settled();
    await vi.waitFor(() => expect(home.sockets()).toEqual([]));
  });
});

describe('with its machine', () => {
  it('is made for a request, answers it and is closed', async () => {
    const actor = createActor(
      homeAssistantMachine.provide({
        actors: {
          connection: homeAssistantConnection({
            readToken: () => Promise.resolve({ ok: true, token: 'x', origin: home.origin }),
            trustFor: () => Promise.resolve(undefined),
            elapsed: () => performance.now(),
            now: Date.now,
            isInForce: () => true,
            onRoute: () => {},
          }),
          needs: fromDriver(() => {}),
          store: excessStore(),
        },
      }),
      { input: { settleMs: 0 } },
    );
    const replies: unknown[] = [];
    actor.on('reply', ({ outcome }) => void replies.push(outcome));
    actor.start();
    ends.push(() => void actor.stop());
    actor.send({ type: 'needs.changed', credential: true, revision: 1, lifecycle: false, native: false });
    actor.send({ type: 'home-assistant.read', requestId: 'a', topic: { kind: 'areas' } });
    await vi.waitFor(() => expect(replies).toHaveLength(1));
    expect(replies).toEqual([{ ok: true, reading: { kind: 'areas', areas: [hall] } }]);
    expect(phaseOf(actor.getSnapshot())).toBe('closed');
    await vi.waitFor(() => expect(home.sockets()).toEqual([]));
  });
});

describe('a ping', () => {
  const PROBE_MS = 10_000;

  it('without an answer says whether anything else came, and a late answer is something', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const driver = connect();
    await driver.until(of('socket.probed'));
    const pings: Message[] = [];
    home.converse = (message) => void pings.push(message);
    vi.advanceTimersByTime(PROBE_MS);
    await vi.waitFor(() => expect(pings).toHaveLength(1));
    let from = driver.facts.length;
    vi.advanceTimersByTime(PROBE_MS);
    expect(await driver.until(of('socket.probed'), from)).toMatchObject({ answeredMs: null, otherFrames: false });
    await vi.waitFor(() => expect(pings).toHaveLength(2));

    send(home.sockets()[0]!, { id: pings[0]!['id'], type: 'pong' });
    // Its answer comes after the late one.
    home.converse = converse(results());
    driver.tell({ type: 'socket.ask-running' });
    await driver.until(of('socket.running'));
    from = driver.facts.length;
    vi.advanceTimersByTime(PROBE_MS);
    expect(await driver.until(of('socket.probed'), from)).toMatchObject({ answeredMs: null, otherFrames: true });
  });
});

describe('a ping without an answer', () => {
  const silent = async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const driver = connect();
    await driver.until(of('socket.probed'));
    home.converse = () => {};
    vi.advanceTimersByTime(10_000);
    await vi.waitFor(() => expect(home.messages.at(-1)).toMatchObject({ type: 'ping' }));
    return driver;
  };

  it.each<[string, (socket: WebSocket) => void]>([
    ['the server sends a ping of its own', (socket) => socket.ping()],
    ['a large message is still arriving', (socket) => socket.send('{"id":1,', { fin: false })],
  ])('is a busy server while %s', async (_, act) => {
    const driver = await silent();
    const from = driver.facts.length;
    act(home.sockets()[0]!);
    // What was sent arrives before one of the next is due.
    await vi.waitFor(() => {
      vi.advanceTimersByTime(10_000);
      expect(driver.facts.slice(from)).toContainEqual(expect.objectContaining({ answeredMs: null, otherFrames: true }));
    });
  });
});

describe('a sample', () => {
  const sample = (requestId: string) =>
    ({ type: 'socket.sample', requestId, entityIds: ['sensor.lux'], ms: 1000 }) as const;
  const asked = (): Message => home.messages.find(({ type }) => type === 'subscribe_entities') ?? {};
  const start = async () => {
    home.converse = converse(results({ subscribe_entities: null }));
    const driver = connect();
    await driver.until(of('socket.live'));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    driver.tell(sample('a'));
    await vi.waitFor(() => expect(asked()['entity_ids']).toEqual(['sensor.lux']));
    return driver;
  };
  const event = (id: unknown, states: unknown): string => JSON.stringify({ id, type: 'event', event: states });

  it('counts the messages of its own subscription, over the same connection', async () => {
    const driver = await start();
    const { id } = asked();
    const changes = [event(id, { c: { 'sensor.lux': { '+': { s: '1' } } } }), event(id, { c: {} })];
    const [socket] = home.sockets();
    // The whole state comes first; then an event of another subscription and an answer are among them.
    send(socket!, event(id, { a: { 'sensor.lux': { s: '0', a: {} } } }), changes[0]);
    send(socket!, event(subscription('homeassistant_started')?.['id'], {}), changes[1]);
    driver.tell({ type: 'socket.ask-running' });
    await driver.until(of('socket.running'));
    vi.advanceTimersByTime(1000);
    expect(await driver.until(of('socket.sampled'))).toEqual({
      type: 'socket.sampled',
      generation: 3,
      requestId: 'a',
      sample: { frames: 2, bytes: changes.join('').length, ms: expect.any(Number) },
    });
    expect(home.sockets()).toHaveLength(1);
  });

  it('is refused while another one runs, and leaves nothing behind when the connection ends', async () => {
    const driver = await start();
    driver.tell(sample('b'));
    expect(await driver.until(of('socket.sampled'))).toMatchObject({ requestId: 'b', sample: null });
    const from = driver.facts.length;
    for (const socket of home.sockets()) socket.terminate();
    expect(await driver.until(of('socket.sampled'), from)).toMatchObject({ requestId: 'a', sample: null });
    expect(driver.crashed()).toBeUndefined();
  });
});

describe('a topic', () => {
  const entity = { kind: 'entity', entityId: 'sensor.lux' } as const;
  const live = async () => {
    const driver = connect();
    await driver.until(of('socket.live'));
    return driver;
  };

  it('is read once', async () => {
    const driver = await live();
    driver.tell({ type: 'socket.read', requestId: 'a', topic: { kind: 'areas' } });
    expect(await driver.until(of('socket.answered'))).toMatchObject({
      requestId: 'a',
      reading: { kind: 'areas', areas: [hall] },
    });
    const from = driver.facts.length;
    driver.tell({ type: 'socket.read', requestId: 'b', topic: { kind: 'devices' } });
    expect(await driver.until(of('socket.answered'), from)).toMatchObject({ requestId: 'b', reading: null });
  });

  it('that is a list is read again after each change, until it is no longer watched', async () => {
    const driver = await live();
    driver.tell({ type: 'socket.watch', topics: [{ kind: 'areas' }] });
    await driver.until(of('socket.read-out'));
    await vi.waitFor(() => expect(subscription('area_registry_updated')).toBeDefined());
    const from = driver.facts.length;
    home.converse = converse(results({ 'config/area_registry/list': [] }));
    const { id } = subscription('area_registry_updated')!;
    send(home.sockets()[0]!, { id, type: 'event', event: {} });
    expect(await driver.until(of('socket.read-out'), from)).toMatchObject({ reading: { kind: 'areas', areas: [] } });
    driver.tell({ type: 'socket.watch', topics: [] });
    await vi.waitFor(() =>
      expect(home.messages.find(({ type }) => type === 'unsubscribe_events')).toMatchObject({ subscription: id }),
    );
  });

  it('is read out again for somebody else, and tried no more once the connection has ended', async () => {
    const driver = await live();
    driver.tell({ type: 'socket.watch', topics: [{ kind: 'areas' }] });
    await driver.until(of('socket.read-out'));
    const from = driver.facts.length;
    driver.tell({ type: 'socket.renew', topics: [{ kind: 'areas' }] });
    await driver.until(of('socket.read-out'), from);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    // Refused: it would be tried again.
    driver.tell({ type: 'socket.watch', topics: [{ kind: 'devices' }] });
    driver.tell({ type: 'socket.ask-running' });
    await driver.until(of('socket.running'));
    await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
    for (const socket of home.sockets()) socket.terminate();
    await driver.until(of('socket.ended'));
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(0));
  });

  it('that is an entity tells its state, its changes and its end', async () => {
    home.converse = converse(results({ subscribe_entities: null }));
    const driver = await live();
    driver.tell({ type: 'socket.watch', topics: [entity] });
    await vi.waitFor(() => expect(home.messages.find(({ type }) => type === 'subscribe_entities')).toBeDefined());
    const { id, entity_ids: ids } = home.messages.find(({ type }) => type === 'subscribe_entities')!;
    expect(ids).toEqual(['sensor.lux']);
    const next = async (event: unknown) => {
      const from = driver.facts.length;
      send(home.sockets()[0]!, { id, type: 'event', event });
      return (await driver.until(of('socket.read-out'), from)).reading;
    };
    const attributes = { device_class: 'illuminance', unit_of_measurement: 'lx' };
    const lux = { ...entity, deviceClass: 'illuminance', unit: 'lx' };
    expect(await next({ a: { 'sensor.lux': { s: '12', a: attributes } } })).toEqual({ ...lux, state: '12' });
    expect(await next({ c: { 'sensor.lux': { '+': { s: '14' } } } })).toEqual({ ...lux, state: '14' });
    expect(await next({ r: ['sensor.lux'] })).toEqual({ ...entity, state: null, deviceClass: null, unit: null });
  });

  it('that is an entity which does not exist is read as nothing', async () => {
    const answers = converse(results({ subscribe_entities: null }));
    home.converse = (message, socket) => {
      answers(message, socket);
      if (message['type'] === 'subscribe_entities')
        send(socket, { id: message['id'], type: 'event', event: { a: {} } });
    };
    const driver = await live();
    driver.tell({ type: 'socket.read', requestId: 'a', topic: entity satisfies Topic });
    expect(await driver.until(of('socket.answered'))).toMatchObject({ reading: { ...entity, state: null } });
  });
});
