import { describe, expect, it } from 'vitest';

import { needs, type Rig, start, startLive, watch } from './rig.ts';

const read = (requestId: string) => ({ type: 'home-assistant.read', requestId, topic: { kind: 'areas' } }) as const;
const sample = (requestId: string) =>
  ({ type: 'home-assistant.sample', requestId, entityIds: ['light.one'], ms: 5000 }) as const;

describe('the connection to Home Assistant', () => {
  it.each([
    ['nobody is signed in', needs({ credential: false })],
    ['nothing needs it', needs({ lifecycle: false })],
  ])('is not made while %s', (_, event) => {
    const rig = start();
    rig.hear(event);
    expect([rig.phase(), rig.attempts.length, rig.health()]).toEqual(['closed', 0, '']);
  });

  it('is made for the built-in renderer, and closed with its last reason', () => {
    const rig = startLive();
    expect([rig.phase(), rig.facts().reasons, rig.open()]).toEqual(['live', ['lifecycle'], 1]);
    rig.hear(watch('presence', { kind: 'areas' }), needs({ lifecycle: false }));
    expect([rig.phase(), rig.facts().reasons, rig.facts().lifecycle]).toEqual(['live', ['registry'], null]);
    rig.hear(watch('presence'));
    expect([rig.phase(), rig.facts().reasons, rig.open()]).toEqual(['closed', [], 0]);
    expect(rig.health()).toBe('');
  });

  it('is made anew for another credential', () => {
    const rig = startLive();
    rig.hear(needs({ revision: 2 }));
    expect([rig.phase(), rig.attempts.length, rig.open()]).toEqual(['connecting', 2, 1]);
  });

  it('subscribes with each connection to what is watched, each topic once', () => {
    const rig = start();
    rig.hear(watch('one', { kind: 'areas' }), watch('other', { kind: 'areas' }, { kind: 'devices' }), needs());
    expect(rig.commanded()).toEqual([]);
    rig.live();
    const both = { type: 'socket.watch', topics: [{ kind: 'areas' }, { kind: 'devices' }] };
    expect(rig.commanded()).toEqual([both]);
    rig.end('closed');
    rig.clock.increment(1000);
    rig.live();
    expect(rig.commanded()).toEqual([both]);
    rig.hear({ type: 'socket.read-out', generation: 2, reading: { kind: 'areas', areas: [] } });
    expect(rig.emitted).toEqual([{ type: 'home-assistant.read-out', reading: { kind: 'areas', areas: [] } }]);
  });

  it('reads out again what a watcher names that is watched already', () => {
    const rig = start();
    rig.hear(needs(), watch('one', { kind: 'areas' }));
    rig.live();
    rig.commanded();
    rig.hear(watch('other', { kind: 'areas' }, { kind: 'devices' }));
    expect(rig.commanded()).toEqual([
      { type: 'socket.watch', topics: [{ kind: 'areas' }, { kind: 'devices' }] },
      { type: 'socket.renew', topics: [{ kind: 'areas' }] },
    ]);
    rig.hear(watch('one'));
    expect(rig.commanded()).toEqual([{ type: 'socket.watch', topics: [{ kind: 'areas' }, { kind: 'devices' }] }]);
  });

  it('takes no more than sixteen watchers', () => {
    const rig = start();
    for (let at = 0; at < 20; at += 1) rig.hear(watch(`part-${at}`, { kind: 'areas' }));
    expect(Object.keys(rig.facts().watches)).toHaveLength(16);
  });

  it('waits longer with each attempt, at most 10 s, and starts anew once one has held', () => {
    const rig = startLive();
    const waits = [1000, 2000, 4000, 8000, 10_000, 10_000];
    for (const [at, wait] of waits.entries()) {
      rig.end('ECONNREFUSED');
      rig.clock.increment(wait - 1);
      expect([at, rig.attempts.length]).toEqual([at, at + 1]);
      rig.clock.increment(1);
      expect([at, rig.attempts.length]).toEqual([at, at + 2]);
    }
    rig.live();
    rig.clock.increment(30_000);
    rig.end('closed');
    rig.clock.increment(1000);
    expect(rig.attempts).toHaveLength(8);
  });

  it('asks for a new token once, and then waits for another credential', () => {
    const rig = start();
    rig.hear(needs());
    rig.end('auth-invalid');
    rig.clock.increment(10_000);
    expect(rig.attempts.map(({ forceToken }) => forceToken)).toEqual([false, true]);
    rig.end('auth-invalid');
    rig.clock.increment(3_600_000);
    expect([rig.phase(), rig.attempts.length, rig.facts().doubts, rig.health()]).toEqual(['refused', 2, 2, '']);
    rig.hear(needs({ revision: 2 }));
    expect([rig.phase(), rig.attempts.length]).toEqual(['connecting', 3]);
  });

  it('goes on asking for a new token until one was let in, whatever fails meanwhile', () => {
    const rig = start();
    rig.hear(needs());
    for (const code of ['auth-invalid', 'ETIMEDOUT', 'ECONNREFUSED']) {
      rig.end(code);
      rig.clock.increment(10_000);
    }
    expect(rig.attempts.map(({ forceToken }) => forceToken)).toEqual([false, true, true, true]);
    rig.live();
    rig.end('closed');
    rig.clock.increment(10_000);
    expect(rig.attempts.at(-1)).toMatchObject({ forceToken: false });
  });

  it('raises a doubt about the credential when it was live and ended, not when Home Assistant is away', () => {
    const rig = startLive();
    rig.end('closed');
    expect(rig.facts().doubts).toBe(1);
    rig.clock.increment(1000);
    rig.end('ECONNREFUSED');
    expect(rig.facts().doubts).toBe(1);
  });

  it('ends with the error of its driver', () => {
    const rig = startLive();
    rig.crash();
    expect(rig.actor.getSnapshot().output).toMatchObject({ ended: 'failed', reason: 'connection' });
  });
});

describe('a request', () => {
  it('opens a connection for itself, and is answered', () => {
    const rig = start();
    rig.hear(needs({ lifecycle: false }), read('a'));
    expect([rig.phase(), rig.facts().reasons]).toEqual(['connecting', ['request']]);
    rig.live();
    expect(rig.commanded().at(-1)).toEqual({ type: 'socket.read', requestId: 'a', topic: { kind: 'areas' } });
    rig.hear({ type: 'socket.answered', generation: 1, requestId: 'a', reading: { kind: 'areas', areas: [] } });
    expect(rig.emitted).toEqual([
      { type: 'reply', requestId: 'a', outcome: { ok: true, reading: { kind: 'areas', areas: [] } } },
    ]);
    expect(rig.phase()).toBe('closed');
  });

  it('for a sample is given to the connection as it was asked, and again to the next one', () => {
    const rig = start();
    const command = { type: 'socket.sample', requestId: 'a', entityIds: ['light.one'], ms: 5000 };
    rig.hear(needs({ lifecycle: false }), sample('a'), read('b'));
    rig.live();
    expect(rig.commanded().slice(1)).toEqual([
      command,
      { type: 'socket.read', requestId: 'b', topic: { kind: 'areas' } },
    ]);
    rig.hear({ type: 'socket.answered', generation: 1, requestId: 'b', reading: null });
    const counted = { frames: 3, bytes: 200, ms: 5001 };
    rig.hear({ type: 'socket.sampled', generation: 0, requestId: 'a', sample: null });
    rig.hear({ type: 'socket.sampled', generation: 1, requestId: 'a', sample: counted });
    expect(rig.emitted).toEqual([
      { type: 'reply', requestId: 'b', outcome: { ok: false, reason: 'no-answer' } },
      { type: 'reply', requestId: 'a', outcome: { ok: true, sample: counted } },
    ]);
    expect(rig.phase()).toBe('closed');
    rig.hear(needs(), sample('c'));
    rig.live();
    expect(rig.commanded().at(-1)).toEqual({ ...command, requestId: 'c' });
    rig.hear({ type: 'socket.sampled', generation: 2, requestId: 'c', sample: null });
    expect(rig.emitted.at(-1)).toMatchObject({ requestId: 'c', outcome: { ok: false, reason: 'unreachable' } });
  });

  it('for a sample waits for no other one: each would count in the other', () => {
    const rig = startLive();
    rig.hear(sample('a'), read('b'), sample('c'));
    expect(rig.emitted).toEqual([{ type: 'reply', requestId: 'c', outcome: { ok: false, reason: 'busy' } }]);
    rig.hear({ type: 'socket.sampled', generation: 1, requestId: 'a', sample: null }, sample('d'));
    expect(rig.emitted).toHaveLength(2);
    expect(rig.facts().requests.map(({ requestId }) => requestId)).toEqual(['b', 'd']);
  });

  const refusals = [
    ['nobody is signed in', (rig, ask) => rig.hear(ask('a')), 'signed-out'],
    [
      'Home Assistant is away',
      (rig, ask) => {
        rig.hear(needs(), ask('a'));
        rig.end('ECONNREFUSED');
      },
      'unreachable',
    ],
    [
      'the connection ends before the answer',
      (rig, ask) => {
        rig.hear(needs(), ask('a'));
        rig.live();
        rig.end('closed');
      },
      'unreachable',
    ],
    [
      'the sign-in was refused',
      (rig, ask) => {
        rig.hear(needs());
        rig.end('auth-invalid');
        rig.clock.increment(10_000);
        rig.end('auth-invalid');
        rig.hear(ask('a'));
      },
      'signed-out',
    ],
    [
      'too many wait',
      (rig, ask) => {
        rig.hear(needs());
        rig.live();
        for (let at = 0; at < 16; at += 1) rig.hear(read(`before-${at}`));
        rig.hear(ask('a'));
      },
      'busy',
    ],
  ] satisfies readonly (readonly [string, (rig: Rig, ask: typeof read | typeof sample) => void, string])[];
  it.each(
    [read, sample].flatMap((ask) =>
      refusals.map(([when, lead, reason]) => [ask('a').type, when, lead, reason, ask] as const),
    ),
  )('%s is refused at once while %s', (_, _when, lead, reason, ask) => {
    const rig = start();
    lead(rig, ask);
    expect(rig.emitted).toContainEqual({ type: 'reply', requestId: 'a', outcome: { ok: false, reason } });
    expect(rig.emitted).toHaveLength(1);
  });
});
