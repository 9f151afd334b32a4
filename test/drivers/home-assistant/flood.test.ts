import { mkdtempSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import WebSocket from 'ws';

import { homeAssistantConnection } from '#drivers/home-assistant/connection.ts';
import { openSocket } from '#drivers/home-assistant/socket.ts';
import { certificates } from '../certificates.ts';
import { isFact, runDriver } from '../run-driver.ts';
import { type FakeHomeAssistant, startFakeHomeAssistant } from '../sign-in/fake-home-assistant.ts';

type Message = Readonly<Record<string, unknown>>;

const SENSOR = 'binary_sensor.broken';
/** Changes of the broken sensor in a second. */
const RATE = 200;

let ends: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  for (const end of ends.toReversed()) await end();
  ends = [];
});

const send = (socket: WebSocket | undefined, message: Message): void => socket?.send(JSON.stringify(message));

/** Answers every command; the state of the sensor is given with its subscription. */
function converse({ id, type }: Message, socket: WebSocket): void {
  if (type === 'auth') return send(socket, { type: 'auth_ok', ha_version: '2026.11.0' });
  if (type === 'ping') return send(socket, { id, type: 'pong' });
  const result = type === 'get_config' ? { state: 'RUNNING' } : null;
  send(socket, { id, type: 'result', success: true, result });
  if (type === 'subscribe_entities') send(socket, { id, type: 'event', event: { a: { [SENSOR]: { s: 'first' } } } });
}

/** Sends so many changes, each for itself; resolves after the last one. */
function flood(socket: WebSocket | undefined, id: unknown, count: number): Promise<void> {
  const began = performance.now();
  let sent = 0;
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      for (const due = Math.min(count, ((performance.now() - began) * RATE) / 1000); sent < due; sent += 1)
        send(socket, { id, type: 'event', event: { c: { [SENSOR]: { '+': { s: String(sent) } } } } });
      if (sent < count) return;
      clearInterval(timer);
      resolve();
    }, 5);
    ends.push(() => clearInterval(timer));
  });
}

async function house(keys?: { readonly key: string; readonly cert: string }): Promise<FakeHomeAssistant> {
  const home = await startFakeHomeAssistant(keys);
  home.converse = converse;
  ends.push(home.stop);
  return home;
}

/** A live connection that watches the sensor. */
async function watching(pingMs = 10_000) {
  const home = await house();
  const driver = runDriver(
    homeAssistantConnection({
      readToken: () => Promise.resolve({ ok: true, token: 'token', origin: home.origin }),
      trustFor: () => Promise.resolve(undefined),
      elapsed: () => performance.now(),
      now: Date.now,
      pingMs,
      isInForce: () => true,
      onRoute: () => {},
    }),
    { generation: 1, forceToken: false },
  );
  ends.push(driver.stop);
  await driver.until(isFact('socket.live'));
  driver.tell({ type: 'socket.watch', topics: [{ kind: 'states', entityIds: [SENSOR] }] });
  await driver.until(isFact('socket.read-out'));
  const id = home.messages.find(({ type }) => type === 'subscribe_entities')?.['id'];
  return { home, driver, flood: (count: number) => flood(home.sockets()[0], id, count) };
}

async function called(mock: MockInstance): Promise<void> {
  while (mock.mock.calls.length === 0) await turn();
}

/** Counts the turns of the event loop in which a socket has read: each is a wake-up of the process. */
function countWakeUps(): () => number {
  let [wakeUps, isCounted] = [0, false];
  const push = Object.getOwnPropertyDescriptor(Readable.prototype, 'push')?.value as Readable['push'];
  vi.spyOn(Socket.prototype, 'push').mockImplementation(function (this: Socket, ...args) {
    if (!isCounted) {
      wakeUps += 1;
      isCounted = true;
      setImmediate(() => {
        isCounted = false;
      });
    }
    return Reflect.apply(push, this, args);
  });
  return () => wakeUps;
}

/** Floods until the socket is paused, by a pause that never ends by itself. */
async function pausedForGood(pingMs?: number) {
  const connected = await watching(pingMs);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const pause = vi.spyOn(WebSocket.prototype, 'pause');
  void connected.flood(10_000);
  await called(pause);
  return connected;
}

/** A certificate for this machine, and what trusts it. */
function certified() {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-flood-'));
  ends.push(() => rmSync(folder, { recursive: true }));
  const authority = certificates(folder).authority('Test');
  return { trust: authority.pem, keys: authority.issue('home', { altNames: 'IP:127.0.0.1' }) };
}

describe('a flood from Home Assistant', () => {
  it.each(['http', 'https'])('over %s loses nothing, and is read in batches', async (scheme) => {
    const { trust, keys } = scheme === 'https' ? certified() : { trust: undefined, keys: undefined };
    const home = await house(keys);
    const heard: unknown[] = [];
    const signedIn = new Promise<void>((resolve) => {
      const end = openSocket({
        origin: home.origin,
        token: 'token',
        trust,
        elapsed: () => performance.now(),
        onSignedIn: ({ socket }) => {
          // The adapter has the events of `ws`, in the shape that the library expects.
          socket.addEventListener('message', ({ data }) => void heard.push(JSON.parse(String(data))));
          resolve();
        },
        expects: () => true,
        onOverrun: () => {},
        onEnd: () => {},
      });
      ends.push(end);
    });
    await signedIn;
    const count = RATE * 1.5;
    const wakeUps = countWakeUps();
    await flood(home.sockets()[0], 1, count);
    await vi.waitFor(() => expect(heard).toHaveLength(count));
    expect(heard).toEqual(
      Array.from({ length: count }, (_, index) => ({
        id: 1,
        type: 'event',
        event: { c: { [SENSOR]: { '+': { s: String(index) } } } },
      })),
    );
    expect(wakeUps()).toBeLessThan(count / 3);
  });

  it('ends with the true state', async () => {
    const { driver, flood: changes } = await watching();
    await changes(RATE);
    const states = [{ entityId: SENSOR, state: String(RATE - 1) }];
    await vi.waitFor(() =>
      expect(driver.facts.findLast(isFact('socket.read-out'))).toMatchObject({ reading: { kind: 'states', states } }),
    );
  });

  it('keeps no request waiting', async () => {
    const { driver } = await pausedForGood();
    driver.tell({ type: 'socket.ask-running' });
    expect(await driver.until(isFact('socket.running'))).toMatchObject({ running: 'running' });
  });

  it('makes no ping slower', async () => {
    const { driver } = await pausedForGood(100);
    const from = driver.facts.length;
    const isAnswered = isFact<(typeof driver.facts)[number], 'socket.probed'>(
      'socket.probed',
      ({ answeredMs }) => answeredMs !== null,
    );
    await driver.until(isAnswered, from);
  });

  it('hides no end of the connection', async () => {
    const { home, driver, flood: changes } = await watching();
    const pause = vi.spyOn(WebSocket.prototype, 'pause');
    void changes(RATE);
    await called(pause);
    for (const socket of home.sockets()) socket.close(1000);
    expect(await driver.until(isFact('socket.ended'))).toMatchObject({ code: 'closed-in-order' });
  });

  it('is left at once by a driver that is stopped, which leaves no timer', async () => {
    const { home, driver } = await pausedForGood();
    driver.stop();
    await driver.settled();
    // Until the other end answers, the close of a connection has a timer of its own.
    while (home.sockets().length > 0 || vi.getTimerCount() > 0) await turn();
  });
});
