import { createActor, SimulatedClock } from 'xstate';
import { describe, expect, it } from 'vitest';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type {
  ConnectionCommand,
  ConnectionFact,
  ConnectionInput,
  Excess,
  HomeAssistantMachineEvent,
  NeedsFact,
} from '#machines/home-assistant/events.ts';
import { healthTokens } from '#machines/home-assistant/health-tokens.ts';
import { homeAssistantMachine } from '#machines/home-assistant/machine.ts';
import { networkOf, phaseOf } from '#machines/home-assistant/phase.ts';
import { excessMemory } from '#test/fakes/excess-memory.ts';

const start = (settleMs = 0, kept: Excess | null = null) => {
  const kepts: Excess[] = [];
  const clock = new SimulatedClock();
  const commands: ConnectionCommand[] = [];
  const attempts: ConnectionInput[] = [];
  const emitted: unknown[] = [];
  let open = 0;
  let crash = (): void => {};
  const actor = createActor(
    homeAssistantMachine.provide({
      actors: {
        connection: fromDriver<ConnectionCommand, ConnectionInput, ConnectionFact>(({ input, onEvent, guard }) => {
          attempts.push(input);
          open += 1;
          onEvent((command) => void commands.push(command));
          crash = guard(() => {
            throw new Error('marker');
          });
          return () => {
            open -= 1;
          };
        }),
        needs: fromDriver(() => {}),
        memory: excessMemory(kept, (excess) => void kepts.push(excess)),
      },
    }),
    { clock, input: { settleMs } },
  );
  for (const type of ['reply', 'home-assistant.read-out'] as const) actor.on(type, (event) => void emitted.push(event));
  actor.start();
  const hear = (...events: readonly HomeAssistantMachineEvent[]): void => {
    for (const event of events) actor.send(event);
  };
  const generation = (): number => attempts.at(-1)?.generation ?? 0;
  const shown = () => actor.getSnapshot();
  return {
    actor,
    clock,
    attempts,
    emitted,
    hear,
    commanded: () => commands.splice(0),
    kepts: () => kepts.splice(0),
    open: () => open,
    crash: () => crash(),
    facts: () => shown().context,
    phase: () => phaseOf(shown()),
    health: () =>
      healthTokens({ network: networkOf(shown()), lifecycle: shown().context.lifecycle }, clock.now()).trim(),
    live: (running: 'running' | 'starting' = 'running', hearsEvents = true) =>
      hear({ type: 'socket.live', generation: generation(), at: clock.now(), running, hearsEvents, family: 'ipv4' }),
    end: (code: string) => hear({ type: 'socket.ended', generation: generation(), code, at: clock.now() }),
    probe: (answeredMs: number | null, otherFrames = false) => {
      clock.increment(10_000);
      hear({ type: 'socket.probed', generation: generation(), answeredMs, otherFrames, at: clock.now() });
    },
    notice: (notice: 'stopping' | 'started') => hear({ type: 'socket.notice', generation: generation(), notice }),
  };
};

const needs = (change: Partial<Extract<NeedsFact, { type: 'needs.changed' }>> = {}) =>
  ({ type: 'needs.changed', credential: true, revision: 1, lifecycle: true, ...change }) as const;
const watch = (watcher: string, ...topics: readonly { readonly kind: 'areas' | 'devices' }[]) =>
  ({ type: 'home-assistant.watch', watcher, topics }) as const;
const read = (requestId: string) => ({ type: 'home-assistant.read', requestId, topic: { kind: 'areas' } }) as const;
const sample = (requestId: string) =>
  ({ type: 'home-assistant.sample', requestId, entityIds: ['light.one'], ms: 5000 }) as const;

type Rig = ReturnType<typeof start>;

/** With a credential, the built-in renderer and a live connection. */
const startLive = (settleMs = 0) => {
  const rig = start(settleMs);
  rig.hear(needs());
  rig.live();
  return rig;
};

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

describe('the network verdict', () => {
  it('settles alone, discards what it saw meanwhile, and is written once it is over', () => {
    const rig = startLive(180_000);
    rig.probe(null);
    rig.probe(40);
    expect(rig.health()).toBe('ha=normal ha_net=settling');
    rig.clock.increment(160_000);
    expect(rig.health()).toBe(
      'ha=normal ha_net=healthy ha_resp=healthy ha_net_p95=-1 ha_net_n=0 ha_net_miss=0 ha_net_age=-1',
    );
    rig.probe(40);
    expect(rig.health()).toBe(
      'ha=normal ha_net=healthy ha_resp=healthy ha_net_p95=40 ha_net_n=1 ha_net_miss=0 ha_net_age=0',
    );
  });

  it('is severe after two silent pings, keeps that while it connects anew, and counts what nothing answers', () => {
    const rig = startLive();
    rig.probe(10);
    rig.probe(null);
    expect([rig.phase(), rig.health()]).toEqual(['live', expect.stringContaining('ha_net=healthy')]);
    rig.probe(null);
    expect([rig.phase(), rig.open(), rig.facts().missed]).toEqual(['reconnecting', 0, 2]);
    expect(rig.health()).toMatch(
      /^ha=connection_lost ha_net=severe ha_resp=healthy ha_net_p95=10 ha_net_n=3 ha_net_miss=2/,
    );
    rig.clock.increment(1000);
    rig.end('no-answer');
    expect(rig.health()).toContain('ha_net_n=4 ha_net_miss=3');
    rig.clock.increment(2000);
    rig.live();
    rig.probe(12);
    expect(rig.health()).toMatch(/^ha=back_online ha_src=socket ha_net=warning/);
  });

  it('is no worse for a busy server: the connection stays', () => {
    const rig = startLive();
    for (let at = 0; at < 6; at += 1) rig.probe(null, true);
    expect([rig.phase(), rig.health()]).toEqual([
      'live',
      'ha=normal ha_net=healthy ha_resp=healthy ha_net_p95=-1 ha_net_n=0 ha_net_miss=0 ha_net_age=-1',
    ]);
  });

  it('is no worse for a Home Assistant that restarts', () => {
    const rig = startLive();
    rig.probe(10);
    for (const code of ['closed', 'ECONNREFUSED', 'ECONNREFUSED', 'ECONNRESET']) {
      rig.end(code);
      rig.clock.increment(10_000);
    }
    expect(rig.health()).toMatch(/ha_net=healthy ha_resp=healthy ha_net_p95=10 ha_net_n=1 ha_net_miss=0/);
  });
});

describe('what Home Assistant says of itself', () => {
  it('goes through a planned restart in order', () => {
    const rig = startLive();
    const seen = [rig.facts().lifecycle];
    const note = (): void => void seen.push(rig.facts().lifecycle);
    rig.notice('stopping');
    note();
    rig.end('closed');
    note();
    rig.clock.increment(1000);
    rig.live('starting');
    note();
    rig.notice('started');
    note();
    rig.clock.increment(59_999);
    note();
    rig.clock.increment(1);
    note();
    expect(seen).toEqual([
      { state: 'normal', source: null },
      { state: 'shutting_down', source: 'socket' },
      { state: 'shutting_down', source: 'socket' },
      { state: 'starting', source: 'socket' },
      { state: 'back_online', source: 'socket' },
      { state: 'back_online', source: 'socket' },
      { state: 'normal', source: null },
    ]);
  });

  it('is normal from the beginning of watching on, before anything was heard', () => {
    const rig = start();
    rig.hear(needs());
    expect([rig.phase(), rig.health()]).toEqual(['connecting', 'ha=normal']);
    rig.live('starting');
    rig.hear(needs());
    expect(rig.facts().lifecycle).toEqual({ state: 'starting', source: 'socket' });
    rig.hear(needs({ credential: false }));
    expect(rig.health()).toBe('');
  });

  it('is said no more once the sign-in was refused', () => {
    const rig = start();
    rig.hear(needs());
    for (const _ of [1, 2]) {
      rig.end('auth-invalid');
      rig.clock.increment(10_000);
    }
    rig.hear(needs(), watch('presence', { kind: 'areas' }));
    expect([rig.phase(), rig.health()]).toEqual(['refused', '']);
  });

  it('begins anew with another credential or address', () => {
    const rig = startLive();
    rig.notice('stopping');
    rig.hear(needs({ revision: 2 }));
    expect([rig.phase(), rig.health()]).toEqual(['connecting', 'ha=normal']);
  });

  it('is asked for with each answered ping while it is away for the broker alone', () => {
    const rig = start();
    rig.hear(needs());
    rig.live('running', false);
    rig.hear({ type: 'will.seen', online: false });
    rig.commanded();
    rig.probe(null, true);
    expect(rig.commanded()).toEqual([]);
    rig.probe(5);
    expect(rig.commanded()).toEqual([{ type: 'socket.ask-running' }]);
    rig.hear({ type: 'socket.running', generation: 1, running: 'running' });
    expect(rig.facts().lifecycle).toEqual({ state: 'back_online', source: null });
  });

  it('is lost where the connection was closed in order, which a plain close of a proxy is too', () => {
    const rig = start();
    rig.hear(needs());
    rig.live('running', false);
    rig.end('closed-in-order');
    expect(rig.health()).toMatch(/^ha=connection_lost ha_net=/);
    rig.hear({ type: 'will.seen', online: false });
    expect(rig.health()).toMatch(/^ha=shutting_down ha_src=mqtt ha_net=/);
  });

  it('shuts down where the order to was told before the connection was closed', () => {
    const rig = startLive();
    rig.notice('stopping');
    rig.end('closed-in-order');
    expect(rig.health()).toMatch(/^ha=shutting_down ha_src=socket ha_net=/);
  });

  it('asks again with each ping while it starts, for an account that hears nothing', () => {
    const rig = start();
    rig.hear(needs());
    rig.live('starting', false);
    rig.commanded();
    rig.probe(5);
    expect(rig.commanded()).toEqual([{ type: 'socket.ask-running' }]);
    rig.hear({ type: 'socket.running', generation: 1, running: 'running' });
    expect(rig.facts().lifecycle).toEqual({ state: 'back_online', source: null });
    rig.probe(5);
    expect(rig.commanded()).toEqual([]);
  });

  it('takes the broker’s word for an account that hears nothing, and says nothing without the built-in renderer', () => {
    const rig = start();
    rig.hear(needs());
    rig.live('running', false);
    rig.hear({ type: 'will.seen', online: false });
    rig.end('closed');
    expect(rig.facts().lifecycle).toEqual({ state: 'shutting_down', source: 'mqtt' });
    rig.hear({ type: 'will.seen', online: true });
    expect(rig.facts().lifecycle).toEqual({ state: 'back_online', source: 'mqtt' });
    rig.hear(needs({ lifecycle: false }), { type: 'will.seen', online: false });
    expect(rig.facts().lifecycle).toBeNull();
  });
});
