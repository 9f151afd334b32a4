import { describe, expect, it } from 'vitest';

import { capacityFor, type BudgetBounds, type HeldBody } from '#drivers/http/body-budget.ts';
import { listenerBounds } from '#drivers/http/bounds.ts';
import { LOOPBACK } from '#machines/kit/peer-name.ts';
import { SMALL_BODY_BYTES } from '#machines/kit/small-body.ts';

const bounds: BudgetBounds = { bodyBytes: 100, bodyBytesPerPeer: 50, bodyBytesPerNetwork: 70 };
const now = 100_000;

interface Named extends HeldBody {
  readonly id: string;
}

/** `held` bytes of a peer, which is of the network before its slash, if any. */
const body = (id: string, name: string, held: number, more: Partial<HeldBody> = {}): Named => ({
  id,
  peer: { name, network: name.includes('/') ? { name: name.split('/')[0] ?? '' } : null },
  held,
  movedAt: now,
  isPending: true,
  ...more,
});
const silent = { movedAt: now - 5000 };
const complete = { movedAt: Infinity };
const answered = { movedAt: Infinity, isPending: false };

describe('room for ten bytes more', () => {
  it.each<[string, string, Named, readonly Named[]]>([
    ['nobody else sends', 'granted', body('me', 'a', 0), []],
    ['its peer reaches its bound', 'granted', body('me', 'a', 20), [body('b', 'a', 20)]],
    ['its peer has too much', 'full', body('me', 'a', 21), [body('b', 'a', 20)]],
    ['its peer has too much in silence', 'full', body('me', 'a', 21), [body('b', 'a', 20, silent)]],
    ['hundreds only announce', 'granted', body('me', 'a', 0), Array.from({ length: 300 }, () => body('b', 'b', 0))],
    ['others were silent, with room left', 'granted', body('me', 'a', 0), [body('b', 'b', 50, silent)]],
    ['one of two others paused', 'b', body('me', 'a', 30), [body('b', 'b', 45, silent), body('c', 'c', 25)]],
    ['two peers hold more', 'c', body('me', 'a', 0), [body('b', 'b', 49), body('c', 'c', 50)]],
    [
      'others hold as much',
      'full',
      body('me', 'a', 20),
      [25, 25, 25].map((held, at) => body(`b${at}`, `b${at}`, held)),
    ],
    [
      'others hold less in more bodies',
      'b1',
      body('me', 'a', 40),
      [body('b1', 'b', 10, { movedAt: now - 1 }), body('b2', 'b', 10), body('c', 'c', 39)],
    ],
    [
      'others hold more in fewer bodies',
      'full',
      body('me', 'a', 5),
      [body('me2', 'a', 5), body('b', 'b', 45), body('c', 'c', 45)],
    ],
    [
      'what waits to be answered is no pause',
      'd',
      body('me', 'a', 0),
      [body('b', 'b', 30, complete), body('c', 'c', 30, complete), body('d', 'd', 40)],
    ],
    [
      'others are being answered',
      'full',
      body('me', 'a', 0),
      [body('b', 'b', 50, answered), body('c', 'c', 50, answered)],
    ],
    ['one of its network holds more', 'b', body('me', 'n/a', 0), [body('b', 'n/b', 40), body('c', 'n/c', 25)]],
    [
      'its network is full, another paused',
      'full',
      body('me', 'n/a', 30),
      [body('b', 'n/b', 31), body('c', 'c', 1, silent)],
    ],
    ['another network is full', 'granted', body('me', 'm/a', 0), [body('b', 'n/b', 45), body('c', 'n/c', 25)]],
    [
      'all others are full, on the panel itself',
      'granted',
      body('me', LOOPBACK, 40),
      [body('b', 'b', 50), body('c', 'c', 50)],
    ],
    ['the panel itself has too much', 'full', body('me', LOOPBACK, 41), []],
    [
      'the panel itself is full, elsewhere',
      'granted',
      body('me', 'a', 40),
      [body('b', LOOPBACK, 50), body('c', 'b', 50)],
    ],
  ])('%s: %s', (_, outcome, me, others) => {
    const room = capacityFor([me, ...others], me, 10, bounds, now);
    expect(typeof room === 'string' ? room : room.id).toBe(outcome);
  });

  it('is found or refused within the bounds, whoever sends what', () => {
    let seed = 1;
    const below = (most: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % most;
    };
    const peers = ['a', 'b', 'c', 'd', 'n/e', 'n/f', 'n/g', LOOPBACK];
    let bodies: { -readonly [K in keyof Named]: Named[K] }[] = [];
    const held = (isOne: (one: HeldBody) => boolean): number =>
      bodies.filter(isOne).reduce((total, one) => total + one.held, 0);
    let evicted = 0;
    for (let step = 0; step < 4000; step += 1) {
      const name = peers[below(peers.length)] ?? '';
      if (below(4) === 0 && bodies.length < 24) bodies.push(body(`${step}`, name, 0, { movedAt: now + step }));
      const me = bodies[below(bodies.length)];
      if (me === undefined) continue;
      if (below(20) === 0) bodies = bodies.filter((one) => one !== me);
      else if (below(40) === 0) me.isPending = false;
      else if (me.isPending) {
        for (;;) {
          const room = capacityFor(bodies, me, 10, bounds, now + step);
          if (room === 'granted') Object.assign(me, { held: me.held + 10, movedAt: now + step });
          if (typeof room === 'string') break;
          if (!room.isPending || room.peer.name === me.peer.name) throw new Error(`${room.id} cannot end`);
          bodies = bodies.filter((one) => one !== room);
          evicted += 1;
        }
      }
      const most = Math.max(...peers.map((peer) => held((one) => one.peer.name === peer)));
      const all = [most, held((one) => one.peer.network !== null), held((one) => one.peer.name !== LOOPBACK)] as const;
      if (all[0] > 50 || all[1] > 70 || all[2] > 100) throw new Error(`${all.join()} are held`);
    }
    expect(evicted).toBeGreaterThan(20);
  });

  it('comes to 16 MiB with the small bodies of all connections', () => {
    const { bodyBytes, connections } = listenerBounds;
    expect(bodyBytes + connections * SMALL_BODY_BYTES).toBeLessThanOrEqual(16 * 1024 * 1024);
  });
});
