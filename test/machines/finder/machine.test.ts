import { createActor, SimulatedClock } from 'xstate';
import { describe, expect, it } from 'vitest';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { FinderEvent, FinderFact, FoundInstance, WantedFact } from '#machines/finder/events.ts';
import { finderMachine } from '#machines/finder/machine.ts';
import { outcomeOf } from '#machines/finder/outcome.ts';

const one: FoundInstance = { id: 'u1', name: 'one.local', host: '10.0.0.2' };
const two: FoundInstance = { id: 'u2', name: 'two.local', host: '10.0.0.3' };

describe('outcomeOf', () => {
  it.each<[string, readonly FoundInstance[], unknown]>([
    ['nothing', [], { outcome: 'searching', host: null, name: null, count: 0 }],
    ['one', [one], { outcome: 'found', host: '10.0.0.2', name: 'one.local', count: 1 }],
    [
      'one on two addresses',
      [one, { ...one, host: '10.0.1.2' }],
      { outcome: 'found', host: '10.0.0.2', name: 'one.local', count: 1 },
    ],
    ['two', [one, two], { outcome: 'ambiguous', host: null, name: null, count: 2 }],
  ])('%s', (_, instances, expected) => {
    expect(outcomeOf(instances)).toEqual(expected);
  });
});

const run = () => {
  const clock = new SimulatedClock();
  let browsing = 0;
  let say: (fact: FinderFact) => void = () => {};
  const actor = createActor(
    finderMachine.provide({
      actors: {
        wanted: fromDriver<FinderEvent, undefined, never>(() => {}),
        browse: fromDriver<FinderEvent, undefined, FinderFact>(({ send }) => {
          browsing += 1;
          say = send;
          return () => void (browsing -= 1);
        }),
      },
    }),
    { clock },
  ).start();
  return {
    actor,
    browsing: () => browsing,
    seen: (...instances: FoundInstance[]) => say({ type: 'finder.seen', instances }),
    fail: () => say({ type: 'finder.unavailable', code: 'EACCES' }),
    want: (wanted: boolean) => actor.send({ type: 'finder.wanted', wanted }),
    pass: (ms: number) => clock.increment(ms),
    facts: () => actor.getSnapshot().context,
  };
};

describe('the finder', () => {
  it('browses only while it is wanted', () => {
    const t = run();
    expect([t.facts().outcome, t.browsing()]).toEqual(['idle', 0]);
    t.want(true);
    expect([t.facts().outcome, t.browsing()]).toEqual(['searching', 1]);
    t.want(true);
    expect(t.browsing()).toBe(1);
    t.seen(one);
    t.pass(1500);
    t.want(false);
    expect([t.facts().outcome, t.facts().host, t.browsing()]).toEqual(['idle', null, 0]);
  });

  it('browses no more once it is switched off, whatever is wanted then', () => {
    const t = run();
    t.want(true);
    t.actor.send({ type: 'finder.switched-off' });
    expect([t.facts().outcome, t.browsing()]).toEqual(['off', 0]);
    t.want(false);
    t.want(true);
    expect([t.facts().outcome, t.browsing()]).toEqual(['off', 0]);
  });

  it('waits for a second platform before it believes in the first', () => {
    const t = run();
    t.want(true);
    t.seen(one);
    expect(t.facts()).toMatchObject({ outcome: 'searching', host: null, name: null });
    t.pass(1400);
    t.seen(one, two);
    t.pass(100);
    expect(t.facts()).toMatchObject({ outcome: 'ambiguous', host: null, count: 2 });
    t.seen(two);
    expect(t.facts()).toMatchObject({ outcome: 'found', host: '10.0.0.3', name: 'two.local' });
    t.seen();
    expect(t.facts()).toMatchObject({ outcome: 'searching', host: null, name: null });
  });

  it('is unavailable while the network cannot be browsed, and tries again', () => {
    const t = run();
    t.want(true);
    t.fail();
    expect([t.facts().outcome, t.facts().failure, t.browsing()]).toEqual(['unavailable', 'EACCES', 0]);
    t.pass(15_000);
    expect([t.facts().outcome, t.facts().failure, t.browsing()]).toEqual(['searching', null, 1]);
  });

  it('stops browsing when it is stopped, and ends as failed when browsing crashes', () => {
    const t = run();
    t.want(true);
    t.actor.stop();
    expect(t.browsing()).toBe(0);
    const broken = createActor(
      finderMachine.provide({
        actors: {
          wanted: fromDriver<FinderEvent, undefined, WantedFact>(({ send }) =>
            send({ type: 'finder.wanted', wanted: true }),
          ),
          browse: fromDriver<FinderEvent, undefined, FinderFact>(() => {
            throw new Error('x');
          }),
        },
      }),
    ).start();
    expect(broken.getSnapshot()).toMatchObject({ status: 'done', output: { ended: 'failed' } });
  });
});
