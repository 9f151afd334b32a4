import { createActor } from 'xstate';
import { describe, expect, it } from 'vitest';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { BrokerProbeEvent, ProbeFact, ProbeOutcome, ProbeTarget } from '#machines/broker-probe/events.ts';
import { brokerProbeMachine } from '#machines/broker-probe/machine.ts';

const target: ProbeTarget = {
  host: 'broker.test',
  port: 1883,
  tls: false,
  addressFamily: 'Automatic',
  isSaved: false,
};
const refused: ProbeOutcome = { status: 'failed', error: 'unreachable', code: 'ECONNREFUSED' };

function run() {
  const running: { readonly target: ProbeTarget; readonly end: (outcome: ProbeOutcome) => void }[] = [];
  let stops = 0;
  const actor = createActor(
    brokerProbeMachine.provide({
      actors: {
        connection: fromDriver<BrokerProbeEvent, ProbeTarget, ProbeFact>(({ input, send }) => {
          if (input.host === 'crash.test') throw new Error('x');
          running.push({ target: input, end: (outcome) => send({ type: 'probe.ended', outcome }) });
          return () => void (stops += 1);
        }),
      },
    }),
  );
  const replies: unknown[] = [];
  actor.on('reply', ({ requestId, outcome }) => void replies.push([requestId, outcome]));
  actor.start();
  return {
    actor,
    running,
    replies,
    stops: () => stops,
    ask: (requestId: string, to: ProbeTarget = target) => actor.send({ type: 'probe.begin', requestId, target: to }),
  };
}

describe('the probe of a broker', () => {
  it('tries what it is asked for, answers with what came of it, and forgets where that was', () => {
    const t = run();
    expect([t.actor.getSnapshot().value, t.running.length]).toEqual(['resting', 0]);
    t.ask('one');
    expect([t.actor.getSnapshot().value, t.running.map((probe) => probe.target)]).toEqual(['probing', [target]]);
    expect(t.replies).toEqual([]);
    t.running[0]?.end(refused);
    expect([t.replies, t.stops()]).toEqual([[['one', refused]], 1]);
    expect(t.actor.getSnapshot()).toMatchObject({ value: 'resting', context: { requestId: null } });
    expect(JSON.stringify(t.actor.getSnapshot().context)).not.toContain('broker.test');
    t.ask('two');
    t.running[1]?.end({ status: 'answered', address: '192.0.2.7' });
    expect(t.replies[1]).toEqual(['two', { status: 'answered', address: '192.0.2.7' }]);
  });

  it('cancels the one under way for another, and hears nothing more of it', () => {
    const t = run();
    t.ask('one');
    t.ask('two', { ...target, port: 1884 });
    expect([t.replies, t.stops(), t.running[1]?.target.port]).toEqual([[['one', { status: 'replaced' }]], 1, 1884]);
    t.running[0]?.end(refused);
    expect([t.actor.getSnapshot().value, t.replies.length]).toEqual(['probing', 1]);
    t.running[1]?.end(refused);
    expect(t.replies[1]).toEqual(['two', refused]);
  });

  it('cuts its connection when it is stopped, and ends as failed when its driver crashes', () => {
    const t = run();
    t.ask('one');
    t.actor.stop();
    expect(t.stops()).toBe(1);
    const broken = run();
    broken.ask('one', { ...target, host: 'crash.test' });
    expect(broken.actor.getSnapshot()).toMatchObject({
      status: 'done',
      output: { ended: 'failed', reason: 'broker-probe-driver' },
    });
  });
});
