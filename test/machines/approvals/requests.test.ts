import { describe, expect, it } from 'vitest';

import {
  approveRequest,
  denyRequest,
  DEVICE_LIMIT,
  IGNORE_MS,
  ignoreDevice,
  isDevice,
  deviceOf,
  lookAt,
  noRequests,
  PENDING_LIMIT,
  type Requests,
  type StoredRequest,
  standingOf,
  takeRequest,
  VALID_MS,
  withEnded,
} from '#machines/approvals/requests.ts';

let ids = 0;
function request(peer: string, digest: string, at = 0, more: Partial<StoredRequest> = {}) {
  ids += 1;
  return {
    id: `id-${ids}`,
    operation: 'REMOTE_MEDIA',
    what: '',
    peer,
    digest,
    effect: null,
    askedAt: at,
    code: null,
    asker: null,
    ...more,
  };
}

/** Takes requests one after another; each must wait. */
function holding(all: readonly (readonly [peer: string, digest: string, at?: number])[], from = noRequests): Requests {
  let requests = from;
  for (const [peer, digest, at] of all) {
    const taken = takeRequest(requests, request(peer, digest, at), null);
    if (taken.status !== 'pending') throw new Error(`${peer} ${digest}: ${taken.status}`);
    requests = taken.requests;
  }
  return requests;
}
const idOf = (requests: Requests, digest: string): string =>
  requests.list.find((one) => one.digest === digest)?.id ?? 'none';
const digests = (requests: Requests): readonly string[] => requests.list.map(({ digest }) => digest);

describe('the way of a request', () => {
  it('waits, is approved, and is consumed by the identical request once', () => {
    const waiting = holding([['192.0.2.1', 'a']]);
    const again = takeRequest(waiting, request('192.0.2.1', 'a', 5), null);
    expect(again).toMatchObject({ status: 'pending', id: idOf(waiting, 'a'), isNew: false });
    const approved = approveRequest(waiting, idOf(waiting, 'a'));
    expect(standingOf(approved)).toEqual({ pending: 0, approved: 1 });
    const used = takeRequest(approved, request('192.0.2.1', 'a', 6), null);
    expect(used.status).toBe('used');
    if (used.status !== 'used') return;
    expect(takeRequest(used.requests, request('192.0.2.1', 'a', 7), null)).toMatchObject({
      status: 'pending',
      isNew: true,
    });
  });

  it.each([
    ['another peer', '192.0.2.2', 'a', 1, {}],
    ['another request', '192.0.2.1', 'b', 1, {}],
    ['another operation', '192.0.2.1', 'a', 1, { operation: 'DEVICE_REBOOT' }],
    ['ten minutes later', '192.0.2.1', 'a', VALID_MS, {}],
    ['a clock that went backwards', '192.0.2.1', 'a', -1, {}],
  ] as const)('is not consumed by %s', (_, peer, digest, at, more) => {
    const waiting = holding([['192.0.2.1', 'a']]);
    const approved = approveRequest(waiting, idOf(waiting, 'a'));
    expect(takeRequest(approved, request(peer, digest, at, more), null)).toMatchObject({
      status: 'pending',
      isNew: true,
    });
  });

  it('is over once it is denied', () => {
    const waiting = holding([['192.0.2.1', 'a']]);
    const id = idOf(waiting, 'a');
    const denied = withEnded(waiting, denyRequest(waiting, id));
    expect(denied.list).toEqual([]);
    expect(lookAt(denied, id, '192.0.2.1', 1)).toBe('absent');
    expect(lookAt(denied, id, '192.0.2.2', 1)).toBeNull();
  });

  it('is over at once if the approval carries it out or answers a part', () => {
    const effect = { do: 'settings', patch: { camera: true } } as const;
    for (const more of [{ effect }, { asker: 'part-1' }]) {
      const taken = takeRequest(noRequests, request('', 'x', 0, more), null);
      if (taken.status !== 'pending') throw new Error(taken.status);
      expect(approveRequest(taken.requests, taken.id).list).toEqual([]);
    }
  });

  it('is looked at by its own peer only, until it expires', () => {
    const waiting = holding([['192.0.2.1', 'a']]);
    const id = idOf(waiting, 'a');
    expect(lookAt(waiting, id, '192.0.2.1', 1)).toBe('pending');
    expect(lookAt(waiting, id, '192.0.2.2', 1)).toBeNull();
    expect(lookAt(waiting, 'f'.repeat(32), '192.0.2.1', 1)).toBeNull();
    expect(lookAt(approveRequest(waiting, id), id, '192.0.2.1', 1)).toBe('approved');
    expect(lookAt(waiting, id, '192.0.2.1', VALID_MS)).toBe('absent');
  });
});

describe('limits', () => {
  const twelve = Array.from({ length: PENDING_LIMIT }, (_, n) => [`192.0.2.${n + 1}`, `d${n}`, n] as const);

  it('lets one device wait with three', () => {
    const three = holding([1, 2, 3].map((n) => ['192.0.2.1', `a${n}`]));
    expect(DEVICE_LIMIT).toBe(3);
    expect(takeRequest(three, request('192.0.2.1', 'a4'), null)).toEqual({ status: 'full', of: 'peer' });
    expect(takeRequest(three, request('192.0.2.2', 'b'), null).status).toBe('pending');
  });

  it('counts the addresses of one IPv6 network as one device', () => {
    const three = holding([1, 2, 3].map((n) => [`2001:db8::${n}`, `a${n}`]));
    expect(takeRequest(three, request('2001:db8::1', 'x'), null)).toEqual({ status: 'full', of: 'peer' });
    expect(deviceOf('2001:db8::1')).toBe(deviceOf('2001:db8::99'));
  });

  it('lets no machine keep the others of its IPv6 network out', () => {
    const three = holding([1, 2, 3].map((n) => ['2001:db8::1', `a${n}`]));
    const taken = takeRequest(three, request('2001:db8::99', 'x'), 'id-none');
    expect(taken).toMatchObject({ status: 'pending', isNew: true });
    if (taken.status !== 'pending') return;
    expect(taken.requests.list.map(({ peer, digest }) => [peer, digest])).toEqual([
      ['2001:db8::1', 'a2'],
      ['2001:db8::1', 'a3'],
      ['2001:db8::99', 'x'],
    ]);
    // The machine cannot take it back, and its network did not take more from other devices.
    expect(takeRequest(taken.requests, request('2001:db8::1', 'y'), null)).toEqual({ status: 'full', of: 'peer' });
    expect(taken.requests.givenUp).toEqual([{ peer: '2001:db8::1', at: 0, isOwn: true }]);
  });

  it('gives up the oldest of the device that holds most for one that holds less', () => {
    const full = holding([
      ['192.0.2.9', 'old', 0],
      ...[1, 2, 3].map((n) => ['192.0.2.1', `a${n}`, n] as const),
      ...Array.from({ length: 8 }, (_, n) => [`192.0.2.${n + 20}`, `d${n}`, n + 4] as const),
    ]);
    const taken = takeRequest(full, request('192.0.2.50', 'new', 20), null);
    if (taken.status !== 'pending') throw new Error(taken.status);
    expect(digests(taken.requests)).not.toContain('a1');
    expect(digests(taken.requests)).toContain('old');
    expect(taken.requests.list).toHaveLength(PENDING_LIMIT);
  });

  it('refuses a device whose requests were given up, so that addresses cannot take turns', () => {
    const full = holding(twelve);
    const first = takeRequest(full, request('192.0.2.50', 'new', 20), null);
    if (first.status !== 'pending') throw new Error(first.status);
    expect(digests(first.requests)).not.toContain('d0');
    // The one that lost its place still holds as many as all others.
    expect(takeRequest(first.requests, request('192.0.2.1', 'again', 21), null)).toEqual({ status: 'full', of: 'all' });
  });

  it('never gives up the question on the screen, an approval or a question of the panel itself', () => {
    const part = takeRequest(noRequests, request('', '', 0, { asker: 'part-1' }), null);
    if (part.status !== 'pending') throw new Error(part.status);
    const others = holding(twelve.slice(0, PENDING_LIMIT - 1), part.requests);
    const approved = approveRequest(holding([['192.0.2.90', 'yes', 12]], denyRequest(others, idOf(others, 'd1'))), '');
    const shown = idOf(approved, 'd0');
    const taken = takeRequest(approved, request('192.0.2.50', 'new', 20), shown);
    if (taken.status !== 'pending') throw new Error(taken.status);
    expect(taken.requests.list.some(({ asker }) => asker === 'part-1')).toBe(true);
    expect(digests(taken.requests)).toContain('d0');
  });

  it('serves the owner in a flood from twenty addresses', () => {
    let requests: Requests = noRequests;
    const flood = (at: number): void => {
      for (let n = 0; n < 20; n += 1) {
        const taken = takeRequest(requests, request(`192.0.2.${n + 100}`, `flood ${at} ${n}`, at), null);
        if (taken.status === 'pending') requests = taken.requests;
      }
    };
    for (let at = 0; at < 4; at += 1) flood(at);
    const owner = takeRequest(requests, request('192.0.2.1', 'owner', 50), null);
    if (owner.status !== 'pending') throw new Error(owner.status);
    requests = owner.requests;
    for (let at = 51; at < 55; at += 1) flood(at);
    expect(digests(requests)).toContain('owner');
    expect(requests.list.length).toBeLessThanOrEqual(PENDING_LIMIT);
  });

  it('ignores a device for an hour, with all that it waits for', () => {
    const waiting = holding([
      ['192.0.2.1', 'a'],
      ['192.0.2.1', 'b'],
      ['192.0.2.2', 'c'],
    ]);
    const ignoring = ignoreDevice(waiting, idOf(waiting, 'a'), 10);
    expect(digests(ignoring)).toEqual(['c']);
    expect(takeRequest(ignoring, request('192.0.2.1', 'd', 11), null)).toEqual({ status: 'ignored' });
    expect(takeRequest(ignoring, request('192.0.2.1', 'd', 10 + IGNORE_MS), null).status).toBe('pending');
  });

  it('ignores one address of an IPv6 network, not the household', () => {
    const waiting = holding([['2001:db8::1', 'a']]);
    const ignoring = ignoreDevice(waiting, idOf(waiting, 'a'), 10);
    expect(takeRequest(ignoring, request('2001:db8::1', 'b', 11), null)).toEqual({ status: 'ignored' });
    expect(takeRequest(ignoring, request('2001:db8::2', 'b', 11), null).status).toBe('pending');
  });

  it.each([
    ['127.0.0.1', false],
    ['::1', false],
    ['mqtt', false],
    ['', false],
    ['192.0.2.1', true],
    ['fe80::1', true],
  ])('%s can be ignored: %s', (peer, can) => expect(isDevice(peer)).toBe(can));
});
