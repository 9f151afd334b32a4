import { describe, expect, it } from 'vitest';
import { createActor } from 'xstate';

import type {
  BurstFact,
  ConnectionFact,
  PathProbeDriverCommand,
  PathProbeEvent,
  RouteFamily,
} from '#machines/path-probe/events.ts';
import { pathProbeMachine } from '#machines/path-probe/machine.ts';
import { probeView } from '#machines/path-probe/view.ts';
import { createClock } from '#test/fakes/kit-clock.ts';
import { fakeDriver } from '#test/fakes/fake-driver.ts';

function start() {
  const { clock, now, pass } = createClock();
  const echoes = fakeDriver<PathProbeDriverCommand>();
  const silent = fakeDriver<PathProbeEvent>().logic;
  const actor = createActor(
    pathProbeMachine.provide({
      actors: {
        echoes: echoes.logic,
        route: silent,
        connection: silent,
      },
    }),
    { clock, input: { family: 'ipv4' } },
  ).start();
  const send = (event: PathProbeEvent): void => actor.send(event);
  const answer = (supported: boolean, family: RouteFamily = 'ipv4'): void =>
    send({ type: 'probe.socket', family, supported });
  const connect = (number = 1, family: RouteFamily = 'ipv4'): void =>
    send({ type: 'route.connected', number, family, otherResolved: true } satisfies ConnectionFact);
  return {
    actor,
    send,
    answer,
    connect,
    pass: (seconds: number): void => pass(seconds * 1000, 500),
    crash: echoes.crash,
    /** Ends the burst under way: how many of its five echoes were answered. */
    end: (received = 5, change: Partial<BurstFact> = {}): void =>
      send({
        type: 'probe.burst-ended',
        generation: 1,
        moved: false,
        sent: 5,
        roundTripsMs: Array.from({ length: received }, () => 4),
        at: now(),
        ...change,
      }),
    tries: () => echoes.commands.flatMap((command) => (command.type === 'probe.try' ? [command.family] : [])),
    bursts: () => echoes.commands.flatMap((command) => (command.type === 'probe.burst' ? [command.generation] : [])),
    cancels: () => echoes.commands.filter(({ type }) => type === 'probe.cancel').length,
    probe: () => probeView(actor.getSnapshot().context, now()),
  };
}

/** One that may send, is connected, and whose first burst is under way. */
function connected() {
  const probe = start();
  probe.answer(true);
  probe.connect();
  return probe;
}

describe('whether echoes may be sent', () => {
  it('is tried at once', () => {
    const { tries, answer, probe } = start();
    expect(tries()).toEqual(['ipv4']);
    expect(probe()).toMatchObject({ state: 'unproven', available: 'unowned', family: 'ipv4' });
    answer(false);
    expect(probe()).toMatchObject({ state: 'unsupported', available: 'unsupported', family: 'ipv4' });
  });

  it('is tried again every minute, so that a fix is noticed, and when somebody asks', () => {
    const { send, pass, tries, answer, probe } = start();
    answer(false);
    pass(60);
    expect(tries()).toHaveLength(2);
    expect(probe().state).toBe('unsupported');
    answer(true);
    expect(probe()).toMatchObject({ state: 'unproven', available: 'unproven' });
    send({ type: 'path-probe.probe' });
    expect(tries()).toHaveLength(3);
  });

  it('is asked again when no answer came', () => {
    const { pass, tries } = start();
    pass(60);
    expect(tries()).toHaveLength(2);
  });

  it('is tried anew for another family of the default route; an answer about the old one is dropped', () => {
    const { send, answer, tries, probe } = start();
    send({ type: 'probe.family', family: 'ipv4' });
    expect(tries()).toEqual(['ipv4']);
    send({ type: 'probe.family', family: 'ipv6' });
    expect(tries()).toEqual(['ipv4', 'ipv6']);
    answer(false, 'ipv4');
    expect(probe()).toMatchObject({ state: 'unproven', family: 'ipv6' });
    answer(false, 'ipv6');
    expect(probe()).toMatchObject({ state: 'unsupported', family: 'ipv6' });
  });

  it('nothing is sent without a connection', () => {
    const { answer, pass, bursts, send } = start();
    answer(true);
    send({ type: 'route.suspect' });
    pass(1200);
    expect(bursts()).toEqual([]);
  });
});

describe('bursts', () => {
  it('begin with the connection, and then as often as the interval says', () => {
    const { end, pass, bursts, probe } = connected();
    expect(bursts()).toEqual([1]);
    pass(2);
    end();
    expect(probe()).toMatchObject({ state: 'healthy', available: 'proven', interval_ms: 30_000, other_resolved: true });
    pass(29.5);
    expect(bursts()).toHaveLength(1);
    pass(0.5);
    expect(bursts()).toHaveLength(2);
    end();
    pass(30);
    end();
    expect(probe()).toMatchObject({ bursts: 3, echoes_sent: 15, interval_ms: 60_000, last_burst_age_ms: 0 });
    pass(59.5);
    expect(bursts()).toHaveLength(3);
    pass(0.5);
    expect(bursts()).toHaveLength(4);
    end(4);
    expect(probe()).toMatchObject({ state: 'healthy', loss_percent: 5, interval_ms: 30_000 });
    pass(30);
    expect(bursts()).toHaveLength(5);
  });

  it('never overlap: one that is due while another is under way begins right after it', () => {
    const { send, pass, bursts, end } = connected();
    send({ type: 'route.suspect' });
    send({ type: 'route.suspect' });
    pass(14);
    expect(bursts()).toHaveLength(1);
    end();
    expect(bursts()).toHaveLength(2);
    end();
    expect(bursts()).toHaveLength(2);
  });

  it('begin right after one that is given up, too', () => {
    const { send, pass, bursts, cancels } = connected();
    pass(14);
    send({ type: 'route.suspect' });
    pass(1);
    expect([cancels(), bursts().length]).toEqual([1, 2]);
  });

  it('are given up when no end is reported, and go on', () => {
    const { pass, bursts, cancels, end, probe } = connected();
    pass(15);
    expect(cancels()).toBe(1);
    pass(30);
    expect(bursts()).toHaveLength(2);
    end();
    expect(probe().bursts).toBe(1);
  });

  it.each<[string, (probe: ReturnType<typeof connected>) => void]>([
    ['waited for', () => {}],
    ['under way', ({ pass }) => pass(60)],
  ])('are due at once and at the floor when the socket is suspect while the next is %s', (_, lead) => {
    const probe = connected();
    for (const wait of [30, 30, 0]) {
      probe.end();
      probe.pass(wait);
    }
    expect(probe.probe().interval_ms).toBe(60_000);
    lead(probe);
    const before = probe.bursts().length;
    probe.send({ type: 'route.suspect' });
    expect(probe.probe().interval_ms).toBe(30_000);
    probe.end();
    expect(probe.bursts()).toHaveLength(before + 1);
    if (before > 3) probe.end();
    expect(probe.probe().interval_ms).toBe(30_000);
    probe.pass(30);
    expect(probe.bursts()).toHaveLength(before + 2);
  });

  it('go on at once where they may be sent again, not when the old interval is over', () => {
    const { send, answer, pass, end, bursts, probe } = connected();
    for (const wait of [30, 30, 0]) {
      end();
      pass(wait);
    }
    expect(probe().interval_ms).toBe(60_000);
    send({ type: 'path-probe.probe' });
    answer(false);
    send({ type: 'path-probe.probe' });
    answer(true);
    expect(bursts()).toHaveLength(4);
    end();
    pass(30);
    expect(bursts()).toHaveLength(5);
  });

  it('that are under way when they may not be sent any more are given up', () => {
    const { send, answer, end, bursts, cancels, probe } = connected();
    send({ type: 'path-probe.probe' });
    answer(false);
    expect(cancels()).toBe(1);
    end();
    expect(probe()).toMatchObject({ state: 'unsupported', bursts: 0 });
    send({ type: 'path-probe.probe' });
    answer(true);
    expect(bursts()).toHaveLength(2);
  });

  it('wait until they may be sent', () => {
    const { connect, answer, pass, bursts, probe } = start();
    connect();
    expect(bursts()).toEqual([]);
    answer(false);
    pass(60);
    expect(bursts()).toEqual([]);
    expect(probe()).toMatchObject({ state: 'unsupported', interval_ms: -1 });
    answer(true);
    expect(bursts()).toEqual([1]);
  });

  it('stop where they may not be sent any more, and nothing is known of the way', () => {
    const { answer, end, pass, bursts, probe, send } = connected();
    end();
    send({ type: 'path-probe.probe' });
    answer(false);
    expect(probe()).toMatchObject({ state: 'unsupported', bursts: 0, last_burst_age_ms: -1 });
    pass(60);
    expect(bursts()).toHaveLength(1);
    answer(true);
    expect(bursts()).toHaveLength(2);
  });

  it('that stay silent prove nothing, and are no loss once one was answered', () => {
    const { end, pass, probe } = connected();
    for (const _ of [1, 2, 3]) {
      end(0);
      expect(probe()).toMatchObject({ state: 'unproven', loss_percent: -1, consecutive_dead_bursts: 0 });
      pass(30);
    }
    end();
    expect(probe()).toMatchObject({ state: 'healthy', bursts: 1, loss_percent: 0 });
    pass(30);
    end(0);
    pass(30);
    end(0);
    expect(probe()).toMatchObject({ state: 'severe', consecutive_dead_bursts: 2 });
  });

  it('that could not be sent count as nothing', () => {
    const { end, probe } = connected();
    end(0, { sent: 0 });
    expect(probe()).toMatchObject({ state: 'unproven', bursts: 0, last_burst_age_ms: -1 });
  });
});

describe('the way', () => {
  it('of a connection that was made anew is measured at once; what comes late of the old one is dropped', () => {
    const { connect, end, pass, bursts, probe } = connected();
    end();
    pass(30);
    connect(2);
    expect(bursts()).toEqual([1, 1, 2]);
    end(0, { generation: 1 });
    expect(probe()).toMatchObject({ state: 'healthy', bursts: 1 });
    pass(1);
    expect(bursts()).toHaveLength(3);
    end(5, { generation: 2 });
    expect(probe()).toMatchObject({ bursts: 2, interval_ms: 30_000 });
  });

  it('that had to be connected anew is measured as often as may be', () => {
    const { connect, end, pass, probe } = connected();
    for (const _ of [1, 2]) {
      end();
      pass(30);
    }
    end();
    expect(probe().interval_ms).toBe(60_000);
    connect(2);
    expect(probe()).toMatchObject({ state: 'healthy', bursts: 3, interval_ms: 30_000 });
  });

  it('to another address is another, and unproven', () => {
    const { end, pass, probe } = connected();
    end();
    pass(30);
    end(0, { moved: true });
    expect(probe()).toMatchObject({ state: 'unproven', bursts: 1, loss_percent: -1 });
  });

  it('of another family is another, and is tried first', () => {
    const { connect, answer, end, tries, bursts, cancels, probe } = connected();
    end();
    connect(2, 'ipv6');
    expect(tries()).toEqual(['ipv4', 'ipv6']);
    expect(cancels()).toBe(1);
    expect(bursts()).toEqual([1]);
    expect(probe()).toMatchObject({ state: 'unproven', available: 'unowned', family: 'ipv6', bursts: 0 });
    answer(true, 'ipv4');
    expect(bursts()).toEqual([1]);
    answer(true, 'ipv6');
    expect(bursts()).toEqual([1, 2]);
  });

  it('is forgotten when the socket stopped', () => {
    const { send, end, pass, bursts, cancels, probe } = connected();
    end();
    pass(30);
    send({ type: 'route.lost' });
    expect(cancels()).toBe(1);
    end();
    pass(1200);
    expect(bursts()).toHaveLength(2);
    expect(probe()).toMatchObject({
      state: 'unproven',
      available: 'unproven',
      bursts: 0,
      other_resolved: null,
      interval_ms: -1,
      last_burst_age_ms: -1,
    });
  });

  it('stays unsupported when the socket stopped', () => {
    const { send, connect, answer, probe } = start();
    connect();
    answer(false);
    send({ type: 'route.lost' });
    expect(probe()).toMatchObject({ state: 'unsupported', available: 'unsupported' });
  });

  it('keeps the family of its connection, whatever the default route has', () => {
    const { send, tries, probe } = connected();
    send({ type: 'probe.family', family: 'ipv6' });
    expect(tries()).toEqual(['ipv4']);
    expect(probe().family).toBe('ipv4');
  });
});

it('ends as failed when the driver breaks', () => {
  const { crash, actor } = start();
  crash();
  expect(actor.getSnapshot().output).toMatchObject({ ended: 'failed', reason: 'path-probe-driver' });
});
