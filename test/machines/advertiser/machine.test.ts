import { createActor, SimulatedClock } from 'xstate';
import { describe, expect, it } from 'vitest';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { advertisementOf } from '#machines/advertiser/advertisement.ts';
import type { AdvertiserCommand, Lan, ProbeResult } from '#machines/advertiser/events.ts';
import { advertiserMachine } from '#machines/advertiser/machine.ts';
import { responderState, advertiserView } from '#machines/advertiser/responder-state.ts';
import { discoveryState, judgeAdvertiser } from '#machines/advertiser/verdict.ts';

const lan: Lan = { interface: 'eth0', address: '192.0.2.7', family: 'ipv4' };
const desired = { panelId: 'hall', friendlyName: 'Hall', version: '0.2.0-dev', port: 8888 };

function run() {
  const clock = new SimulatedClock();
  const commands: AdvertiserCommand[] = [];
  const mute = fromDriver<AdvertiserCommand, undefined, never>(() => {});
  const responder = fromDriver<AdvertiserCommand, undefined, never>(({ onEvent }) =>
    onEvent((command) => void commands.push(command)),
  );
  const actor = createActor(advertiserMachine.provide({ actors: { responder, lan: mute, desired: mute } }), {
    clock,
  }).start();
  const facts = () => actor.getSnapshot().context;
  const starts = () => commands.filter((command) => command.type === 'responder.start');
  const asks = () => commands.filter((command) => command.type === 'responder.ask');
  return {
    actor,
    commands,
    facts,
    starts,
    asks,
    state: () => discoveryState(advertiserView(actor.getSnapshot())),
    verdict: () => judgeAdvertiser(advertiserView(actor.getSnapshot())),
    pass: (ms: number) => clock.increment(ms),
    lan: (seen: Lan | null) => actor.send({ type: 'lan.observed', lan: seen }),
    desire: () => actor.send({ type: 'advertisement.desired', desired }),
    up: (renamed = false) => actor.send({ type: 'responder.up', generation: facts().generation, renamed }),
    die: () => actor.send({ type: 'responder.failed', generation: facts().generation, code: 'responder-died' }),
    answer: (result: ProbeResult) => actor.send({ type: 'responder.asked', ask: facts().ask, result }),
  };
}

function announced() {
  const t = run();
  t.lan(lan);
  t.desire();
  t.up();
  t.pass(1000);
  t.answer('visible');
  return t;
}

/** Three questions without an answer; the first is already asked. */
function missThrice(t: ReturnType<typeof run>): void {
  for (let n = 0; n < 3; n += 1) {
    t.answer('missing');
    t.pass(5000);
  }
}

describe('the advertiser', () => {
  it('waits for an address and for the port that is really listened on', () => {
    const t = run();
    expect(t.verdict().state).toBe('checking');
    t.lan(null);
    t.desire();
    expect([t.starts().length, t.state(), t.verdict().reason]).toEqual([0, 'off', 'no-lan-address']);
    t.lan(lan);
    expect(t.starts()).toEqual([
      { type: 'responder.start', generation: 1, lan, advertisement: advertisementOf(desired) },
    ]);
    expect([t.state(), t.verdict().state]).toEqual(['starting', 'checking']);
    t.up();
    expect([t.state(), t.verdict().state]).toEqual(['advertising', 'checking']);
    t.pass(1000);
    expect(t.asks()).toEqual([{ type: 'responder.ask', ask: 1 }]);
    t.answer('visible');
    expect(t.verdict()).toMatchObject({ state: 'working', reason: 'advertised' });
  });

  it('asks again every 30 s, and sooner after a miss', () => {
    const t = announced();
    t.pass(29_999);
    expect(t.asks()).toHaveLength(1);
    t.pass(1);
    expect(t.asks()).toHaveLength(2);
    t.answer('missing');
    t.pass(5000);
    expect(t.asks()).toHaveLength(3);
  });

  it('rebuilds after three misses, then after 60 and 300 s, and then says that it cannot be heard', () => {
    const t = announced();
    t.pass(30_000);
    t.answer('missing');
    t.pass(5000);
    t.answer('missing');
    t.pass(5000);
    t.answer('missing');
    t.pass(0);
    expect([t.starts().length, t.state(), t.verdict().reason]).toEqual([2, 'recovering', 'announcing-again']);
    for (const [wait, starts] of [
      [60_000, 3],
      [300_000, 4],
    ] as const) {
      t.up();
      t.pass(1000);
      missThrice(t);
      expect(t.starts()).toHaveLength(starts - 1);
      t.pass(wait);
      expect(t.starts()).toHaveLength(starts);
    }
    t.up();
    t.pass(1000);
    missThrice(t);
    t.pass(3_600_000);
    expect([t.starts().length, t.state(), t.verdict().state]).toEqual([4, 'exhausted', 'needs_you']);
    const asked = t.asks().length;
    while (t.asks().length === asked) t.pass(1000);
    t.answer('visible');
    expect([t.state(), t.verdict().state, t.facts().recovery.rebuilds]).toEqual(['advertising', 'working', 3]);
  });

  it('replaces a responder that died at once, and gives up one that cannot live', () => {
    const t = announced();
    t.die();
    t.pass(0);
    expect([t.starts().length, t.facts().recovery.code]).toEqual([2, 'responder-died']);
    for (const wait of [60_000, 300_000, 0]) {
      t.die();
      t.pass(wait);
    }
    expect([t.starts().length, t.state()]).toEqual([4, 'exhausted']);
    t.actor.send({ type: 'advertiser.probe' });
    expect([t.starts().length, t.state()]).toEqual([5, 'starting']);
  });

  it('counts a responder that never comes up as one that failed', () => {
    const t = run();
    t.lan(lan);
    t.desire();
    t.pass(15_000);
    expect(t.commands.at(-1)).toEqual({ type: 'responder.stop' });
    t.pass(0);
    expect([t.starts().length, t.facts().recovery.code]).toEqual([2, 'recreation-failed']);
  });

  it('starts over at another address, and leaves the network that is gone', () => {
    const t = announced();
    t.die();
    t.pass(0);
    t.die();
    t.lan({ ...lan, address: '192.0.2.8' });
    expect([t.starts().length, t.facts().recovery.attempts, t.state()]).toEqual([3, 0, 'starting']);
    t.pass(60_000);
    t.lan({ ...lan, address: '192.0.2.8' });
    const before = t.starts().length;
    t.lan({ ...lan, address: '192.0.2.8' });
    expect(t.starts()).toHaveLength(before);
    t.lan(null);
    expect([t.commands.at(-1), t.state()]).toEqual([{ type: 'responder.stop' }, 'off']);
  });

  it('does not listen to an earlier responder or question', () => {
    const t = announced();
    t.actor.send({ type: 'responder.failed', generation: 0, code: 'responder-died' });
    t.actor.send({ type: 'responder.asked', ask: 0, result: 'missing' });
    expect([t.state(), t.facts().recovery.misses]).toEqual(['advertising', 0]);
  });

  it('says that another machine has its name', () => {
    const t = announced();
    t.actor.send({ type: 'responder.renamed', generation: t.facts().generation });
    expect(t.verdict()).toMatchObject({ state: 'working', reason: 'renamed' });
  });

  it('is not called healthy where the network could not be asked', () => {
    const t = announced();
    t.pass(30_000);
    t.answer('unavailable');
    expect(t.verdict().reason).toBe('advertised-untested');
  });

  it.each([
    ['deciding', 'idle'],
    ['idle', 'idle'],
    ['starting', 'starting'],
    [{ up: 'asking' }, 'up'],
    ['down', 'down'],
    ['failed', 'idle'],
  ])('has in the state %o a responder that is %s', (state, responder) => {
    expect(responderState(state)).toBe(responder);
  });
});

describe('the advertisement', () => {
  it('has the panel id as its name and the rest as text', () => {
    expect(advertisementOf({ ...desired, panelId: 'living_room' })).toEqual({
      instance: 'living_room',
      host: 'sconce-living-room',
      port: 8888,
      txt: { ver: '0.2.0-dev', caps: 'tts', path: '/play', id: 'living_room', name: 'Hall' },
    });
  });

  it('fits into a DNS record whatever the owner wrote', () => {
    const { instance, host, txt } = advertisementOf({
      ...desired,
      panelId: 'a_'.repeat(31),
      friendlyName: `Küche\n${'🟠'.repeat(100)}`,
    });
    expect(Buffer.byteLength(instance)).toBeLessThanOrEqual(56);
    expect(host).toMatch(/^[a-z0-9-]{1,56}$/);
    expect(host).not.toMatch(/-$/);
    expect(Buffer.byteLength(`name=${txt['name']}`)).toBeLessThanOrEqual(255);
    expect(txt['name']).toMatch(/^Küche 🟠+$/u);
  });

  it('has the id as its name where there is no other', () => {
    expect(advertisementOf({ ...desired, friendlyName: '' }).txt['name']).toBe('hall');
  });
});
