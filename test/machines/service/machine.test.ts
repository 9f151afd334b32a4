import { describe, expect, it } from 'vitest';
import { createActor, SimulatedClock } from 'xstate';

import type { ServiceDriverCommand, ServiceRequest } from '#machines/service/events.ts';
import { serviceMachine } from '#machines/service/machine.ts';
import { fakeDriver } from '#test/fakes/fake-driver.ts';

function start(input: ServiceRequest) {
  const clock = new SimulatedClock();
  const notify = fakeDriver<ServiceDriverCommand>();
  const actor = createActor(serviceMachine.provide({ actors: { notify: notify.logic } }), { clock, input }).start();
  return { actor, clock, ...notify, sent: () => notify.commands.flatMap(({ lines }) => lines) };
}

describe('the service', () => {
  it('starts no driver where no service manager listens', () => {
    const { actor, sent, starts } = start({ listening: false, heartbeatMs: null });
    actor.send({ type: 'service.ready' });
    actor.send({ type: 'service.stopping' });
    expect(starts()).toBe(0);
    expect(sent()).toEqual([]);
    expect(actor.getSnapshot().context.ready).toBe(true);
  });

  it('says ready, status and stopping', () => {
    const { actor, sent } = start({ listening: true, heartbeatMs: null });
    actor.send({ type: 'service.ready' });
    actor.send({ type: 'service.stopping' });
    expect(sent()).toEqual(['READY=1', 'STOPPING=1']);
  });

  it('gives a sign of life at every heartbeat while the clock goes on', () => {
    const { clock, sent } = start({ listening: true, heartbeatMs: 5_000 });
    expect(sent()).toEqual(['WATCHDOG=1']);
    for (let step = 0; step < 3; step += 1) clock.increment(5_000);
    expect(sent()).toHaveLength(4);
    clock.increment(4_999);
    expect(sent()).toHaveLength(4);
  });

  it('gives none once it was stopped, nor where nothing watches', () => {
    const { actor, clock, sent } = start({ listening: true, heartbeatMs: 5_000 });
    actor.stop();
    for (let step = 0; step < 3; step += 1) clock.increment(5_000);
    expect(sent()).toEqual(['WATCHDOG=1']);
    expect(start({ listening: true, heartbeatMs: null }).sent()).toEqual([]);
  });

  it('notes what could not be delivered, and ends as failed when the driver breaks', () => {
    const { actor, crash } = start({ listening: true, heartbeatMs: null });
    actor.send({ type: 'notice.refused', code: 'ECONNREFUSED' });
    expect(actor.getSnapshot().context.failure).toBe('ECONNREFUSED');
    crash();
    expect(actor.getSnapshot().output).toMatchObject({ ended: 'failed', reason: 'service-driver' });
  });
});
