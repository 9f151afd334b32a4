import { afterEach, describe, expect, it } from 'vitest';

import type { EchoWay } from '#drivers/path-probe/echo-way.ts';
import { echoes } from '#drivers/path-probe/echoes.ts';
import type { ConnectedRoute } from '#drivers/path-probe/route.ts';
import type { Burst, PathProbeDriverCommand, PathProbeDriverFact, RouteFamily } from '#machines/path-probe/events.ts';
import { isFact, type RunningDriver, runDriver } from '#test/drivers/run-driver.ts';

type Running = RunningDriver<PathProbeDriverCommand, PathProbeDriverFact>;

const answered: Burst = { sent: 5, roundTripsMs: [1, 2, 3, 4, 5] };
const socketFact = isFact<PathProbeDriverFact, 'probe.socket'>('probe.socket');
const burstFact = isFact<PathProbeDriverFact, 'probe.burst-ended'>('probe.burst-ended');

/** A way that works for some families, and whose bursts end when a test says so. */
function fakeWay(families: readonly RouteFamily[]) {
  const tried: RouteFamily[] = [];
  const sent: string[] = [];
  const ends: (() => void)[] = [];
  let atOnce = 0;
  let most = 0;
  const way: EchoWay = {
    works: (family) => {
      tried.push(family);
      return Promise.resolve(families.includes(family));
    },
    burst: ({ address }, signal) =>
      new Promise((resolve) => {
        sent.push(address);
        atOnce += 1;
        most = Math.max(most, atOnce);
        const end = (): void => {
          atOnce -= 1;
          resolve(answered);
        };
        ends.push(end);
        signal.addEventListener('abort', end, { once: true });
      }),
  };
  return { way, tried, sent, end: () => ends.at(-1)?.(), count: () => ends.length, most: () => most };
}

let driver: Running | undefined;
afterEach(() => driver?.stop());

function start(ways: readonly EchoWay[], first: ConnectedRoute | null) {
  let route = first;
  driver = runDriver(echoes({ route: () => route, now: () => 77, ways }));
  return { driver, move: (to: ConnectedRoute | null) => (route = to) };
}

const home: ConnectedRoute = { address: '192.0.2.7', family: 'ipv4' };
const elsewhere: ConnectedRoute = { address: 'fe80::7%lan', family: 'ipv6' };

describe('the ways to send echoes', () => {
  it('are tried in their order, each family for itself', async () => {
    const [socket, program] = [fakeWay(['ipv6']), fakeWay(['ipv4'])];
    const { driver: running } = start([socket.way, program.way], null);
    running.tell({ type: 'probe.try', family: 'ipv6' });
    expect(await running.until(socketFact)).toEqual({ type: 'probe.socket', family: 'ipv6', supported: true });
    expect(program.tried).toEqual([]);
    running.tell({ type: 'probe.try', family: 'ipv4' });
    expect(await running.until(socketFact, 1)).toEqual({ type: 'probe.socket', family: 'ipv4', supported: true });
    expect([socket.tried, program.tried]).toEqual([['ipv6', 'ipv4'], ['ipv4']]);
    expect([...socket.sent, ...program.sent]).toEqual([]);
  });

  it('are unsupported where none works', async () => {
    const { driver: running } = start([fakeWay([]).way, fakeWay([]).way], null);
    running.tell({ type: 'probe.try', family: 'ipv4' });
    expect(await running.until(socketFact)).toMatchObject({ supported: false });
  });
});

describe('a burst', () => {
  it('goes where the socket is connected, by the way that works, and never says where that is', async () => {
    const [socket, program] = [fakeWay([]), fakeWay(['ipv4', 'ipv6'])];
    const { driver: running, move } = start([socket.way, program.way], home);
    running.tell({ type: 'probe.burst', generation: 3 });
    await expect.poll(program.count).toBe(1);
    program.end();
    expect(await running.until(burstFact)).toEqual({
      type: 'probe.burst-ended',
      generation: 3,
      moved: false,
      ...answered,
      at: 77,
    });
    move(elsewhere);
    for (const [burst, moved] of [
      [2, true],
      [3, false],
    ] as const) {
      running.tell({ type: 'probe.burst', generation: 4 });
      await expect.poll(program.count).toBe(burst);
      program.end();
      expect(await running.until(burstFact, burst - 1)).toMatchObject({ generation: 4, moved });
    }
    expect(program.sent).toEqual([home.address, elsewhere.address, elsewhere.address]);
    expect(socket.sent).toEqual([]);
    for (const { address } of [home, elsewhere]) expect(JSON.stringify(running.facts)).not.toContain(address);
  });

  it.each([
    ['without a connection', null, ['ipv4']],
    ['to what is no address', { address: '-f home.local', family: 'ipv4' }, ['ipv4']],
    ['where no way works', home, []],
  ] as const)('sends nothing %s', async (_, route, families) => {
    const fake = fakeWay(families);
    const { driver: running } = start([fake.way], route);
    running.tell({ type: 'probe.burst', generation: 1 });
    expect(await running.until(burstFact)).toMatchObject({ sent: 0, roundTripsMs: [], moved: false });
    expect(fake.sent).toEqual([]);
  });

  it('gives up the one under way, and never overlaps it', async () => {
    const fake = fakeWay(['ipv4']);
    const { driver: running } = start([fake.way], home);
    running.tell({ type: 'probe.burst', generation: 1 });
    await expect.poll(fake.count).toBe(1);
    running.tell({ type: 'probe.burst', generation: 2 });
    running.tell({ type: 'probe.burst', generation: 3 });
    await expect.poll(fake.count).toBe(2);
    fake.end();
    expect(await running.until(burstFact)).toMatchObject({ generation: 3 });
    expect(running.facts).toHaveLength(1);
    expect(fake.most()).toBe(1);
  });

  it('that is called off reports nothing', async () => {
    const fake = fakeWay(['ipv4']);
    const { driver: running } = start([fake.way], home);
    running.tell({ type: 'probe.burst', generation: 1 });
    await expect.poll(fake.count).toBe(1);
    running.tell({ type: 'probe.cancel' });
    running.tell({ type: 'probe.try', family: 'ipv4' });
    await running.until(socketFact);
    expect(running.facts.map(({ type }) => type)).toEqual(['probe.socket']);
  });

  it('ends when the driver stops', async () => {
    const fake = fakeWay(['ipv4']);
    const { driver: running } = start([fake.way], home);
    running.tell({ type: 'probe.burst', generation: 1 });
    await expect.poll(fake.count).toBe(1);
    running.stop();
    await running.settled();
    expect(running.facts).toEqual([]);
    expect(running.crashed()).toBeUndefined();
  });
});
