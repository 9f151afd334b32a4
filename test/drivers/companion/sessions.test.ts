import { afterEach, describe, expect, it } from 'vitest';

import { PanelHello, PanelMessage, PanelRefused } from '#machines/companion/messages.ts';
import type { SessionFact } from '#machines/companion/events.ts';
import { channels } from '#machines/companion/wire.ts';
import { until } from '#test/drivers/http/serving.ts';
import { isFact } from '#test/drivers/run-driver.ts';
import {
  connectCompanion,
  Ended,
  greet,
  homeClient,
  openLine,
  prove,
  type CompanionClient,
} from '#test/fakes/companion-client.ts';
import { hall, pairedKey, servePanel, type ServedPanel } from './served.ts';

let running: ServedPanel | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});
const start = async (...args: Parameters<typeof servePanel>): Promise<ServedPanel> =>
  (running = await servePanel(...args));
const key = pairedKey(1);
const connect = (panel: ServedPanel, more: Partial<Parameters<typeof connectCompanion>[0]> = {}) =>
  connectCompanion({ port: panel.port, key, ...more });
/** Of a promise that must reject so. */
async function ended(work: Promise<unknown>): Promise<Ended> {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof Ended) return error;
  throw new Error('was not refused', { cause: error });
}
async function refusedWith(work: Promise<unknown>): Promise<unknown> {
  const { refused, closeCode } = await ended(work);
  return [PanelRefused().parse(refused).code, closeCode];
}
const isType =
  <T extends SessionFact['type']>(type: T) =>
  (fact: SessionFact): fact is Extract<SessionFact, { type: T }> =>
    isFact<SessionFact, T>(type)(fact);
const opened = (panel: ServedPanel, from = 0) => panel.driver.until(isType('session.opened'), from);
const closed = (panel: ServedPanel, from = 0) => panel.driver.until(isType('session.closed'), from);
/** Has the panel handled what was sent. */
const synced = async (client: CompanionClient): Promise<void> => void (await client.set('sync', null));

describe('a session', () => {
  it('opens with the first message, and tells what Home Assistant says of itself', async () => {
    const panel = await start();
    const client = await connect(panel, { phase: { type: 'phase', phase: 'starting' } });
    expect(PanelHello().parse(client.hello)).toEqual({ type: 'hello', protocol: 1, ...hall });
    const { id, ...rest } = homeClient;
    expect(await opened(panel)).toEqual({
      type: 'session.opened',
      session: 1,
      keyId: key.keyId,
      client: { clientId: id, ...rest },
      at: 1000,
    });
    client.send({ type: 'phase', phase: 'stopping', reason: 'restart' });
    await panel.driver.until(
      isFact<SessionFact, 'session.phase'>('session.phase', ({ phase }) => phase === 'stopping'),
    );
    expect(panel.driver.facts.filter(isType('session.phase'))).toEqual([
      { type: 'session.phase', session: 1, phase: 'starting', reason: null },
      { type: 'session.phase', session: 1, phase: 'stopping', reason: 'restart' },
    ]);
  });

  it('carries messages both ways', async () => {
    const panel = await start();
    const client = await connect(panel);
    await opened(panel);
    expect(panel.send({ type: 'state', k: 'screen', available: true, v: null })).toBe(true);
    expect(PanelMessage().parse(await client.untilType('state')).type).toBe('state');
    expect(await client.set('screen', { on: true, brightness: 12 })).toEqual({ type: 'result', id: 1, ok: true });
    expect(panel.received[0]?.message).toEqual({
      type: 'set',
      id: 1,
      k: 'screen',
      v: { on: true, brightness: 12 },
      deadline: 8000,
    });
  });

  it.each(['reload', 'disabled', 'removed'] as const)('ends in order when Home Assistant says %s', async (reason) => {
    const panel = await start();
    const client = await connect(panel);
    expect(await client.bye(reason)).toBe(1000);
    expect((await closed(panel)).end).toEqual({ kind: 'bye', reason });
    expect([panel.opened.size, panel.send({ type: 'synced' })]).toEqual([0, false]);
  });

  it('is lost when the connection is cut', async () => {
    const panel = await start();
    const client = await connect(panel);
    await opened(panel);
    client.cut();
    expect((await closed(panel)).end).toEqual({ kind: 'lost' });
  });

  it.each(['moved', 'reset', 'stopping'] as const)('ends with a word when the panel says %s', async (reason) => {
    const panel = await start();
    const client = await connect(panel);
    await opened(panel);
    panel.driver.tell({ type: 'sessions.end', reason });
    expect(await client.untilType('bye')).toEqual({ type: 'bye', reason });
    expect(await client.closed).toBe(1000);
    expect((await closed(panel)).end).toEqual({ kind: 'ended', reason });
    if (reason === 'stopping') expect(await refusedWith(connect(panel))).toEqual(['stopping', 1008]);
  });

  it('ends when its key was removed, and leaves others alone', async () => {
    const panel = await start({ keys: [key, pairedKey(2)] });
    const client = await connect(panel);
    const other = await connectCompanion({ port: panel.port, key: pairedKey(2) });
    await until(() => panel.opened.size === 2, 'two sessions');
    panel.driver.tell({ type: 'sessions.keys', keys: [pairedKey(2)] });
    expect(await client.untilType('bye')).toEqual({ type: 'bye', reason: 'revoked' });
    expect(await refusedWith(connect(panel))).toEqual(['unknown-key', 1008]);
    await synced(other);
    expect(panel.opened.size).toBe(1);
  });

  it('replaces an older one of its key', async () => {
    const panel = await start();
    const first = await connect(panel);
    await opened(panel);
    const second = await connect(panel);
    expect(await first.untilType('bye')).toEqual({ type: 'bye', reason: 'replaced' });
    await synced(second);
    expect([...panel.opened]).toEqual([2]);
    expect((await closed(panel)).end).toEqual({ kind: 'ended', reason: 'replaced' });
  });

  it('gets a new key, which is its own once it was acknowledged', async () => {
    const panel = await start();
    const client = await connect(panel);
    await opened(panel);
    const next = pairedKey(9);
    panel.driver.tell({ type: 'sessions.keys', keys: [key, next] });
    panel.driver.tell({ type: 'sessions.rekey', session: 1, keyId: next.keyId, key: next.key });
    expect(await client.untilType('rekey')).toEqual({ type: 'rekey', key_id: next.keyId, key: next.key });
    client.send({ type: 'rekeyed', key_id: next.keyId });
    expect(await panel.driver.until(isType('session.rekeyed'))).toMatchObject({ session: 1, keyId: next.keyId });
    panel.driver.tell({ type: 'sessions.keys', keys: [next] });
    await synced(client);
    const again = await connectCompanion({ port: panel.port, key: next });
    expect(await client.untilType('bye')).toEqual({ type: 'bye', reason: 'replaced' });
    await synced(again);
  });

  it('skips messages of a later version, and refuses commands that it does not understand', async () => {
    const panel = await start();
    const client = await connect(panel);
    const say = (message: object): void =>
      client.sendFrame(client.sealed.seal(channels.json, Buffer.from(JSON.stringify(message))));
    say({ type: 'choices', anything: [{}] });
    say({ type: 'set', id: 1, k: 'screen', v: { rgb: [1, 2, 3000] } });
    expect(await client.untilType('result')).toMatchObject({ id: 1, ok: false, code: 'malformed' });
    say({ type: 'set', id: 2, k: 'screen', v: 1, deadline: 100, later: true });
    await client.until((message): message is PanelMessage => message.type === 'result' && message.id === 2);
    expect(panel.received).toHaveLength(1);
  });

  it.each([
    ['an id that was used', { type: 'set', id: 1, k: 'sync', v: null }],
    ['a wrong phase', { type: 'phase', phase: 'dreaming' }],
    ['an acknowledgement of no key', { type: 'rekeyed', key_id: '00'.repeat(8) }],
    ['no object', 7],
    ['too many values', { type: 'choices', list: Array.from({ length: 20_000 }, () => 0) }],
  ])('ends at %s', async (_, message) => {
    const panel = await start();
    const client = await connect(panel);
    await synced(client);
    client.sendFrame(client.sealed.seal(channels.json, Buffer.from(JSON.stringify(message))));
    expect(await client.closed).toBe(1008);
    expect((await closed(panel)).end).toEqual({ kind: 'ended', reason: 'malformed' });
  });

  it.each([channels.microphone, channels.speech, channels.images, 200])('ends at channel %i', async (channel) => {
    const panel = await start();
    const client = await connect(panel);
    await synced(client);
    client.sendFrame(client.sealed.seal(channel, Buffer.from('{"type":"phase","phase":"running"}')));
    expect(await client.closed).toBe(1008);
  });

  it('answers a command itself while nothing serves the rows', async () => {
    const panel = await start({ serves: false });
    const client = await connect(panel);
    expect(await client.set('screen', null)).toMatchObject({ id: 1, ok: false, code: 'starting' });
  });

  it('is served also by rows that come later', async () => {
    const panel = await start({ serves: false });
    await connect(panel);
    await opened(panel);
    const rows: number[] = [];
    const stop = panel.joint.serve({
      opened: (session) => void rows.push(session),
      closed: (session) => void rows.push(-session),
      received: () => {},
    });
    expect(rows).toEqual([1]);
    panel.driver.tell({ type: 'sessions.end', reason: 'reset' });
    await closed(panel);
    expect(rows).toEqual([1, -1]);
    stop();
  });

  it('is refused while the panel does not know its own name', async () => {
    const panel = await start({ panel: null });
    expect(await refusedWith(connect(panel))).toEqual(['busy', 1008]);
  });

  it('is refused to a stranger', async () => {
    const panel = await start({ keys: [] });
    expect(await refusedWith(connect(panel))).toEqual(['unknown-key', 1008]);
    expect(panel.driver.facts).toEqual([{ type: 'session.refused', code: 'unknown-key' }]);
  });

  it.each([
    [[2, 3], 'protocol'],
    [[1, 7], null],
  ] as const)('greets protocols %j', async (protocol, refusal) => {
    const panel = await start();
    const work = connect(panel, { protocol });
    if (refusal === null) expect((await work).hello.protocol).toBe(1);
    else {
      expect(await refusedWith(work)).toEqual([refusal, 1008]);
      expect((await ended(connect(panel, { protocol }))).refused?.protocol).toEqual([1, 1]);
    }
  });

  it('stops within bounds, with a word to each', async () => {
    const panel = await start();
    const client = await connect(panel);
    await opened(panel);
    const stranger = await openLine({ port: panel.port });
    await panel.stop();
    expect(await client.untilType('bye')).toEqual({ type: 'bye', reason: 'stopping' });
    expect(await stranger.closed).toBe(1006);
  });
});

describe('times', () => {
  it('end one that does not greet, or does not prove itself, in 10 s', async () => {
    const panel = await start();
    const silent = await openLine({ port: panel.port });
    const unproven = await openLine({ port: panel.port });
    await greet(unproven, {}, key.keyId);
    panel.clock.pass(9_000);
    const later = await openLine({ port: panel.port });
    panel.clock.pass(1_100);
    expect(await refusedWith(greet(silent, {}))).toEqual(['too-slow', 1008]);
    expect(JSON.parse((await unproven.next()).bytes.toString())).toMatchObject({ code: 'too-slow' });
    await greet(later, {}, key.keyId);
  });

  it('end a session whose other end answers no ping for 25 s', async () => {
    const panel = await start();
    await connect(panel, { pongs: false });
    await opened(panel);
    panel.clock.pass(24_900);
    expect(panel.opened.size).toBe(1);
    panel.clock.pass(200);
    expect((await closed(panel)).end).toEqual({ kind: 'lost' });
  });

  it('keep one that answers', async () => {
    const panel = await start();
    const client = await connect(panel);
    await opened(panel);
    for (let round = 1; round <= 5; round += 1) {
      const ping = new Promise<void>((resolve) => void client.socket.once('ping', () => resolve()));
      panel.clock.pass(15_000);
      await ping;
      // The pong was sent first.
      await synced(client);
    }
    expect(panel.opened.size).toBe(1);
  });
});

describe('what waits', () => {
  /** 5 kB. */
  const large = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`text_${index}`, 'x'.repeat(250)]));

  it('is one state for each row, in the order of the rows, behind a new catalogue', async () => {
    const panel = await start();
    const client = await connect(panel);
    await opened(panel);
    client.socket.pause();
    for (let n = 0; n < 4000; n += 1)
      panel.send({ type: 'state', k: `row_${n % 100}`, available: true, v: n, attributes: large });
    const state = (k: string, v: number) => panel.send({ type: 'state', k, available: true, v });
    state('row_1', 1);
    state('last', 1);
    state('row_1', 2);
    panel.send({ type: 'synced' });
    client.socket.resume();
    await client.untilType('synced');
    const states = client.messages.flatMap((message) => (message.type === 'state' ? [message] : []));
    expect(states.length).toBeLessThan(3000);
    expect(states.at(-1)?.k).toBe('last');
    expect(states.filter(({ k }) => k === 'row_1').at(-1)?.v).toBe(2);
    expect(panel.opened.size).toBe(1);
  });

  it('ends a session that reads nothing, once it is more than 4 MiB', async () => {
    const panel = await start();
    const client = await connect(panel);
    await opened(panel);
    client.socket.pause();
    let sent = 0;
    while (panel.send({ type: 'event', k: 'button', n: sent + 1, event: 'press', data: large })) sent += 1;
    expect(sent * 5000).toBeGreaterThan(3_500_000);
    expect(sent * 5000).toBeLessThan(40_000_000);
    expect((await closed(panel)).end).toEqual({ kind: 'lost' });
  });
});

describe('a proof', () => {
  it('counts only once a message was opened: a replayed one replaces nothing', async () => {
    const panel = await start();
    const live = await connect(panel);
    await opened(panel);
    const line = await openLine({ port: panel.port });
    const { prologue } = await greet(line, {}, key.keyId);
    await prove(line, prologue, key.key);
    await synced(live);
    expect(panel.driver.facts.filter(isType('session.opened'))).toHaveLength(1);
    panel.clock.pass(10_100);
    await line.closed;
    await synced(live);
  });

  it('must begin with a phase', async () => {
    const panel = await start();
    const line = await openLine({ port: panel.port });
    const { prologue } = await greet(line, {}, key.keyId);
    const sealed = await prove(line, prologue, key.key);
    line.socket.send(sealed.seal(channels.json, Buffer.from('{"type":"set","id":1,"k":"screen","v":null}')));
    expect(await line.closed).toBe(1008);
    expect(panel.received).toEqual([]);
  });
});
