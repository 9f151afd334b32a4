import { describe, expect, it } from 'vitest';

import { judgeNetwork } from '#machines/home-assistant/network.ts';
import { networkOf } from '#machines/home-assistant/phase.ts';

import { needs, type Rig, start, startLive, watch } from './rig.ts';

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

  it('is severe after two silent pings, keeps that while it connects anew, and counts no attempt to', () => {
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
    expect(rig.health()).toMatch(/ ha_net=severe .* ha_net_n=3 ha_net_miss=2 /);
    rig.clock.increment(2000);
    rig.live();
    rig.probe(12);
    expect(rig.health()).toMatch(/^ha=back_online ha_net=warning .* ha_net_n=4 ha_net_miss=2 /);
  });

  it.each([
    ['a cut cable, whose attempts nothing answers', ['no-answer', 'EHOSTUNREACH', 'ETIMEDOUT'], 0],
    ['a frozen server, whose backlog takes attempts until it is full', ['not-let-in', 'not-let-in', 'no-answer'], 2],
  ])('empties by age for %s', (_, codes, serverFailures) => {
    const rig = startLive();
    for (let at = 0; at < 30; at += 1) rig.probe(10);
    rig.probe(null);
    rig.probe(null);
    const judged = () => judgeNetwork(networkOf(rig.actor.getSnapshot()), rig.clock.now());
    const seen = [judged()];
    // A minute at a time: each begins with the end of an attempt, while the window loses what is five minutes old.
    for (let minute = 0; minute < 5; minute += 1) {
      rig.clock.increment(10_000);
      rig.end(codes[minute % codes.length] ?? '');
      rig.clock.increment(50_000);
      seen.push(judged());
    }
    expect(seen.map((one) => [one.ha_net, one.probes, one.network_failures, one.unprobed])).toEqual([
      ['severe', 30, 2, false],
      ['severe', 24, 2, false],
      ['severe', 18, 2, false],
      ['severe', 12, 2, false],
      ['severe', 6, 2, false],
      ['healthy', 0, 0, true],
    ]);
    expect(seen[3]?.server_failures).toBe(serverFailures);
    expect(rig.phase()).toBe('reconnecting');
    rig.live();
    rig.probe(12);
    expect(rig.health()).toMatch(
      /^ha=back_online ha_net=healthy ha_resp=healthy ha_net_p95=12 ha_net_n=1 ha_net_miss=0 /,
    );
    expect(judged().unprobed).toBe(false);
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
    rig.notice('starting');
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
      { state: 'starting', source: null },
      { state: 'starting', source: 'socket' },
      { state: 'back_online', source: 'socket' },
      { state: 'back_online', source: 'socket' },
      { state: 'normal', source: null },
    ]);
  });

  it('is nothing until it has answered once, whatever the broker says', () => {
    const rig = start();
    rig.hear(needs(), { type: 'will.observed', online: true }, { type: 'will.observed', online: false });
    for (let at = 0; at < 30; at += 1) {
      rig.end('ECONNREFUSED');
      rig.clock.increment(10_000);
    }
    expect([rig.phase(), rig.health()]).toEqual(['connecting', '']);
    rig.live('starting');
    rig.hear(needs());
    expect(rig.facts().lifecycle).toEqual({ state: 'starting', source: null });
    rig.hear(needs({ credential: false }));
    expect(rig.health()).toBe('');
  });

  it('is asked for with each answered ping while it is not known', () => {
    const rig = start();
    rig.hear(needs({ lifecycle: false }), watch('presence', { kind: 'areas' }));
    rig.live();
    rig.hear(needs());
    const asked = () => rig.commanded().filter(({ type }) => type === 'socket.ask-running').length;
    expect([asked(), rig.health().includes('ha=')]).toEqual([1, false]);
    rig.probe(20);
    rig.probe(null, true);
    expect(asked()).toBe(1);
    rig.hear({ type: 'socket.running', generation: rig.attempts.at(-1)?.generation ?? 0, running: 'running' });
    rig.probe(20);
    expect([asked(), rig.health()]).toEqual([0, expect.stringContaining('ha=normal')]);
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
    expect([rig.phase(), rig.health()]).toEqual(['connecting', '']);
    rig.live();
    expect(rig.health()).toMatch(/^ha=normal ha_net=/);
  });

  it('is asked for with each answered ping while it is away for the broker alone', () => {
    const rig = start();
    rig.hear(needs());
    rig.live('running', false);
    rig.hear({ type: 'will.observed', online: false });
    rig.commanded();
    rig.probe(null, true);
    expect(rig.commanded()).toEqual([]);
    rig.probe(5);
    expect(rig.commanded()).toEqual([{ type: 'socket.ask-running' }]);
    rig.hear({ type: 'socket.running', generation: 1, running: 'running' });
    expect(rig.facts().lifecycle).toEqual({ state: 'back_online', source: null });
  });

  describe.each([
    ['an administrator', true],
    ['a resident', false],
  ])('to %s', (_, hearsEvents) => {
    const begin = (): Rig => {
      const rig = start();
      rig.hear(needs());
      rig.live('running', hearsEvents);
      return rig;
    };
    const offline = { type: 'will.observed', online: false } as const;
    const seen = (rig: Rig): string => rig.health().replace(/ ha_net=.*/, '');

    it('stays as it was for 10 s after an orderly close, and is lost then', () => {
      const rig = begin();
      rig.end('closed-in-order');
      rig.clock.increment(9_999);
      expect(seen(rig)).toBe('ha=normal');
      rig.clock.increment(1);
      expect(seen(rig)).toBe('ha=connection_lost');
    });

    it.each([0, 3_000, 9_999, 10_001, 3_600_000])(
      'shuts down with the notice of the broker %i ms after it',
      (laterMs) => {
        const rig = begin();
        rig.end('closed-in-order');
        rig.clock.increment(laterMs);
        rig.hear(offline);
        expect(seen(rig)).toBe('ha=shutting_down ha_src=mqtt');
        rig.clock.increment(10_000);
        expect(seen(rig)).toBe('ha=shutting_down ha_src=mqtt');
      },
    );

    it('shuts down with the notice of the broker shortly before it', () => {
      const rig = begin();
      rig.hear(offline);
      rig.clock.increment(5_000);
      rig.end('closed-in-order');
      expect(seen(rig)).toBe('ha=shutting_down ha_src=mqtt');
    });

    it('stays as it was where a proxy closes and the next connection is live within 10 s', () => {
      const rig = begin();
      rig.end('closed-in-order');
      rig.clock.increment(2_000);
      rig.live('running', hearsEvents);
      rig.clock.increment(10_000);
      expect(seen(rig)).toBe('ha=normal');
    });

    it('is back without a source after a freeze, a cut or the silence of a proxy', () => {
      const rig = begin();
      rig.probe(null);
      rig.probe(null);
      expect(seen(rig)).toBe('ha=connection_lost');
      rig.clock.increment(1_000);
      rig.live('running', hearsEvents);
      expect(seen(rig)).toBe('ha=back_online');
    });
  });

  it('is lost to an administrator when it is killed, whenever its will comes', () => {
    for (const first of ['will', 'end']) {
      const rig = startLive();
      if (first === 'will') rig.hear({ type: 'will.observed', online: false });
      rig.end('ECONNRESET');
      if (first === 'end') rig.hear({ type: 'will.observed', online: false });
      expect(rig.health()).toMatch(/^ha=connection_lost ha_net=/);
    }
  });

  it('forgets a notice of the broker after which it goes on', () => {
    const rig = startLive();
    rig.hear({ type: 'will.observed', online: false });
    rig.clock.increment(10_000);
    rig.end('closed-in-order');
    rig.clock.increment(10_000);
    expect(rig.health()).toMatch(/^ha=connection_lost ha_net=/);
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
    rig.hear({ type: 'will.observed', online: false });
    rig.end('closed');
    expect(rig.facts().lifecycle).toEqual({ state: 'shutting_down', source: 'mqtt' });
    rig.hear({ type: 'will.observed', online: true });
    expect(rig.facts().lifecycle).toEqual({ state: 'back_online', source: 'mqtt' });
    rig.hear(needs({ lifecycle: false }), { type: 'will.observed', online: false });
    expect(rig.facts().lifecycle).toBeNull();
  });
});
