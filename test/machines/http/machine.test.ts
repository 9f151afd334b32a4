import { describe, expect, it } from 'vitest';
import { createActor, SimulatedClock } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { HttpEvent, HttpFact } from '#machines/http/events.ts';
import { httpMachine } from '#machines/http/machine.ts';

function start() {
  const clock = new SimulatedClock();
  const starts: number[] = [];
  let ends = 0;
  let report: (fact: HttpFact) => void = () => {};
  let crash: () => void = () => {};
  const listener = fromDriver<HttpEvent, { readonly port: number }, HttpFact>(({ input, send, guard }) => {
    starts.push(input.port);
    report = send;
    crash = guard(() => {
      throw new Error('broken');
    });
    return () => {
      ends += 1;
    };
  });
  const actor = createActor(httpMachine.provide({ actors: { listener } }), { input: { port: 8888 }, clock });
  actor.start();
  return {
    actor,
    clock,
    starts,
    ends: () => ends,
    report: (fact: HttpFact) => report(fact),
    crash: () => crash(),
    context: () => actor.getSnapshot().context,
  };
}

describe('httpMachine', () => {
  it('starts with nothing claimed', () => {
    const { actor, context } = start();
    expect(actor.getSnapshot().value).toEqual({ serving: 'starting' });
    expect(context()).toEqual({ port: -1, wantedPort: 8888, family: null, failure: null, attempt: 0 });
  });

  it('knows the port it got', () => {
    const { actor, report, context } = start();
    report({ type: 'http.listening', port: 8888, family: 'dual' });
    expect(actor.getSnapshot().value).toEqual({ serving: 'listening' });
    expect(context()).toMatchObject({ port: 8888, family: 'dual', failure: null });
  });

  it('waits for a taken port, longer each time up to 5 s, and begins anew once it listened', () => {
    const { actor, clock, starts, ends, report, context } = start();
    for (const [attempt, delay] of [250, 500, 1000, 2000, 4000, 5000, 5000].entries()) {
      report({ type: 'http.taken', code: 'EADDRINUSE' });
      expect(actor.getSnapshot().value).toBe('waiting');
      expect(context()).toMatchObject({ port: -1, failure: 'EADDRINUSE', attempt: attempt + 1 });
      expect(ends()).toBe(attempt + 1);
      clock.increment(delay - 1);
      expect(starts).toHaveLength(attempt + 1);
      clock.increment(1);
      expect(starts).toHaveLength(attempt + 2);
      expect(actor.getSnapshot().value).toEqual({ serving: 'starting' });
    }
    report({ type: 'http.listening', port: 8888, family: 'ipv4' });
    expect(context()).toMatchObject({ failure: null, attempt: 0 });
    report({ type: 'http.lost', code: 'EIO' });
    expect(context()).toMatchObject({ port: -1, family: null, failure: 'EIO', attempt: 1 });
    clock.increment(250);
    expect(actor.getSnapshot().value).toEqual({ serving: 'starting' });
  });

  it.each(['starting', 'listening', 'waiting'])('stops when asked while %s', (state) => {
    const { actor, report } = start();
    if (state === 'listening') report({ type: 'http.listening', port: 8888, family: 'dual' });
    if (state === 'waiting') report({ type: 'http.taken', code: 'EACCES' });
    actor.send({ type: 'http.stop' });
    expect(actor.getSnapshot()).toMatchObject({ status: 'done', output: { ended: 'stopped' } });
  });

  it('fails with a reason when its listener crashes', () => {
    const { actor, crash, ends } = start();
    crash();
    expect(actor.getSnapshot()).toMatchObject({ status: 'done', output: { ended: 'failed', reason: 'http-listener' } });
    expect(ends()).toBe(1);
  });
});
