import { describe, expect, it } from 'vitest';
import { createActor, type EventObject } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { observed } from '#machines/kit/observed.ts';

interface Facts {
  readonly count: number;
  readonly step: number;
}
interface Reset {
  readonly type: 'meter.reset';
}
interface Counted {
  readonly type: 'meter.counted';
}
interface StepChosen {
  readonly type: 'step.chosen';
  readonly step: number;
}
interface Clear {
  readonly type: 'device.clear';
  readonly to: number;
}
type MeterEvent = Reset | Counted | StepChosen;

const plan = {
  id: 'meter',
  initial: ({ count }: { readonly count: number }): Facts => ({ count, step: 1 }),
  take: {
    'meter.counted': ({ count, step }: Facts) => ({ count: count + step }),
    'step.chosen': (_: Facts, { step }: StepChosen) => ({ step }),
  },
  hand: {
    'meter.reset': ({ step }: Facts): Clear => ({ type: 'device.clear', to: step }),
    'step.chosen': (facts: Facts, { step }: StepChosen): Clear => ({ type: 'device.clear', to: facts.step + step }),
  },
  failed: 'meter-driver',
} as const;

const failing = (code: string) => (): never => {
  throw Object.assign(new Error('x'), { code });
};

function run(parts: { readonly follower?: () => void; readonly source?: () => void } = {}) {
  const received: Clear[] = [];
  let count = (): void => {};
  const source = fromDriver<Clear, undefined, Counted>(({ send, onEvent }) => {
    parts.source?.();
    count = () => send({ type: 'meter.counted' });
    onEvent((command) => void received.push(command));
  });
  const follower = fromDriver<EventObject, undefined, StepChosen>(({ send }) => {
    parts.follower?.();
    send({ type: 'step.chosen', step: 10 });
  });
  const make = observed<Facts, MeterEvent, { readonly count: number }>();
  const machine =
    parts.follower === undefined
      ? make<Clear, Counted>(plan).provide({ actors: { source } })
      : make<Clear, Counted, StepChosen>({ ...plan, followerFailed: 'step-follower' }).provide({
          actors: { source, follower },
        });
  const actor = createActor(machine, { input: { count: 5 } });
  actor.subscribe({ error: () => {} });
  actor.start();
  return { actor, received, count: () => count(), facts: () => actor.getSnapshot().context };
}

describe('an observed actor', () => {
  it('begins with its facts, and changes them by what its driver reports', () => {
    const meter = run();
    expect(meter.facts()).toEqual({ count: 5, step: 1 });
    meter.count();
    expect(meter.facts()).toEqual({ count: 6, step: 1 });
  });

  it('hands on what its driver is to do, and nothing else', () => {
    const meter = run();
    meter.count();
    meter.actor.send({ type: 'meter.reset' });
    expect(meter.received).toEqual([{ type: 'device.clear', to: 1 }]);
    expect(meter.facts()).toEqual({ count: 6, step: 1 });
  });

  it('takes the facts of its follower, where it has one', () => {
    const meter = run({ follower: () => {} });
    meter.count();
    expect(meter.facts()).toEqual({ count: 15, step: 10 });
  });

  it('hands on a command by what it follows, the event itself included', () => {
    const meter = run({ follower: () => {} });
    meter.actor.send({ type: 'meter.reset' });
    meter.actor.send({ type: 'step.chosen', step: 4 });
    expect(meter.received.map(({ to }) => to)).toEqual([20, 10, 8]);
  });

  it.each([
    ['meter-driver', { source: failing('EIO'), follower: () => {} }],
    ['step-follower', { follower: failing('EIO') }],
  ])('ends when a driver fails: %s', (reason, parts) => {
    expect(run(parts).actor.getSnapshot().output).toMatchObject({ ended: 'failed', reason, error: { code: 'EIO' } });
  });
});
