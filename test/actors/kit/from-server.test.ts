import { describe, expect, it } from 'vitest';
import { createActor } from 'xstate';

import { fromServer, type ServerScope } from '#actors/kit/from-server.ts';
import { cleanupsOf } from '#drivers/kit/cleanups.ts';
import { settle } from '#test/fakes/kit-clock.ts';

type Question =
  | { readonly type: 'sum.add'; readonly requestId: string; readonly by: number }
  | { readonly type: 'sum.later'; readonly requestId: string }
  | { readonly type: 'sum.break' }
  | { readonly type: 'sum.stop' };
interface Sum {
  readonly sum: number;
}
type Scope = ServerScope<Sum, Question, number>;

async function inAWhile(): Promise<void> {
  for (let turn = 0; turn < 6; turn += 1) await Promise.resolve();
}

/** A server that adds up, at once or later, and notes what its cleanup does. */
function start(more: (scope: Scope) => void = () => {}) {
  const steps: string[] = [];
  const logic = fromServer<Sum, Question, number>({
    initial: { value: 'open', context: { sum: 0 } },
    failed: 'adder',
    serve: (scope) => {
      const { show, answer, onEvent, end } = scope;
      let sum = 0;
      onEvent(async (event) => {
        if (event.type === 'sum.break') throw Object.assign(new Error('x'), { code: 'EIO' });
        if (event.type === 'sum.stop') return end();
        if (event.type === 'sum.later') await inAWhile();
        sum += event.type === 'sum.add' ? event.by : 100;
        show({ context: { sum } });
        answer(event.requestId, sum);
      });
      more(scope);
      return () => {
        steps.push('cleaned');
      };
    },
  });
  const actor = createActor(logic);
  actor.subscribe({
    next: ({ value, context: { sum } }) => void steps.push(`${value} ${sum}`),
    complete: () => void steps.push('ended'),
  });
  actor.on('reply', ({ requestId, outcome }) => {
    steps.push(`${requestId}: ${outcome} of ${actor.getSnapshot().context.sum}`);
  });
  actor.start();
  steps.length = 0;
  return { actor, steps };
}

describe('a server', () => {
  it('shows first and answers then, also within the step in which it was asked', async () => {
    const { actor, steps } = start();
    actor.send({ type: 'sum.add', requestId: 'a', by: 2 });
    actor.send({ type: 'sum.later', requestId: 'b' });
    await settle();
    expect(steps.filter((step) => step.includes(':'))).toEqual(['a: 2 of 2', 'b: 102 of 102']);
    expect(actor.getSnapshot()).toMatchObject({ status: 'active', value: 'open', context: { sum: 102 } });
    actor.stop();
  });

  it('ends as a worker does once it says so, and cleans up once', async () => {
    const { actor, steps } = start();
    actor.send({ type: 'sum.stop' });
    expect(actor.getSnapshot()).toMatchObject({ status: 'done', output: { ended: 'stopped' } });
    expect(steps.filter((step) => step === 'cleaned')).toHaveLength(1);
  });

  it('may end later than it was asked to', async () => {
    const { actor } = start(({ end }) => queueMicrotask(end));
    await settle();
    expect(actor.getSnapshot()).toMatchObject({ status: 'done', output: { ended: 'stopped' } });
  });

  it('crashes with its own word and the error, whatever it had under way', async () => {
    const { actor, steps } = start();
    actor.send({ type: 'sum.later', requestId: 'lost' });
    actor.send({ type: 'sum.break' });
    await settle();
    expect(actor.getSnapshot()).toMatchObject({
      status: 'done',
      context: { sum: 0 },
      output: { ended: 'failed', reason: 'adder', error: { code: 'EIO' } },
    });
    expect(steps.join()).not.toContain('lost');
    expect(steps).toContain('cleaned');
  });

  it('is a crash where it cannot be started, and a stop where it is stopped from outside', async () => {
    const broken = start(() => {
      throw new Error('x');
    });
    expect(broken.actor.getSnapshot()).toMatchObject({ status: 'done', output: { ended: 'failed', reason: 'adder' } });
    const { actor, steps } = start();
    actor.stop();
    await cleanupsOf(actor.system).settled();
    expect([actor.getSnapshot().status, steps.includes('cleaned')]).toEqual(['stopped', true]);
  });
});
