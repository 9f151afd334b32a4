import { createActor, SimulatedClock } from 'xstate';
import { describe, expect, it } from 'vitest';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { FinderEvent, FinderFact, FoundInstance, WantedFact } from '#machines/finder/events.ts';
import { finderMachine } from '#machines/finder/machine.ts';
import { outcomeOf } from '#machines/finder/outcome.ts';
import { discoveredOf } from '#machines/finder/discovered.ts';

const one: FoundInstance = { id: 'u1', name: 'one.local', host: '10.0.0.2', port: 8123, internalUrl: null };
const two: FoundInstance = { id: 'u2', name: 'two.local', host: '10.0.0.3', port: 8123, internalUrl: null };

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

describe('discoveredOf', () => {
  const at = (internalUrl: string | null, port = 8123): FoundInstance => ({ ...one, port, internalUrl });
  it.each<[string, readonly FoundInstance[], string | null]>([
    ['nothing', [], null],
    ['two', [one, two], null],
    ['one without a word', [at(null)], 'http://10.0.0.2:8123'],
    ['one at another port', [at(null, 80)], 'http://10.0.0.2:80'],
    ['one with a word', [at('https://home.example.org:8443')], 'https://home.example.org:8443'],
    ['one with a password in it', [at('http://u:p@10.0.0.9')], 'http://10.0.0.2:8123'],
    ['one with a path', [at('http://10.0.0.9/x')], 'http://10.0.0.2:8123'],
    ['one with a script', [at('javascript:alert(1)')], 'http://10.0.0.2:8123'],
  ])('%s', (_, instances, url) => {
    expect(discoveredOf(instances)).toEqual(url === null ? null : { host: '10.0.0.2', url });
  });
});

function run() {
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
  const replies: unknown[] = [];
  actor.on('reply', ({ requestId, outcome }) => void replies.push([requestId, outcome?.host ?? null]));
  return {
    replies,
    find: (requestId: string) => actor.send({ type: 'finder.find', requestId }),
    actor,
    browsing: () => browsing,
    seen: (...instances: FoundInstance[]) => say({ type: 'finder.observed', instances }),
    fail: () => say({ type: 'finder.unavailable', code: 'EACCES' }),
    want: (wanted: boolean) => actor.send({ type: 'finder.wanted', wanted }),
    pass: (ms: number) => clock.increment(ms),
    facts: () => actor.getSnapshot().context,
  };
}

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
    t.find('one');
    t.actor.send({ type: 'finder.switched-off' });
    expect([t.facts().outcome, t.browsing(), t.replies]).toEqual(['off', 0, [['one', null]]]);
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

  it('looks for one who asks while a broker is configured, and no longer', () => {
    const t = run();
    t.find('one');
    expect([t.browsing(), t.facts().outcome]).toEqual([1, 'idle']);
    t.seen(one);
    t.pass(1499);
    t.find('two');
    expect(t.replies).toEqual([]);
    t.pass(1);
    expect(t.replies).toEqual([
      ['one', '10.0.0.2'],
      ['two', '10.0.0.2'],
    ]);
    expect([t.browsing(), t.facts().outcome, t.facts().host]).toEqual([0, 'idle', null]);
    t.find('three');
    t.pass(3999);
    expect(t.browsing()).toBe(1);
    t.pass(1);
    expect([t.browsing(), t.replies[2]]).toEqual([0, ['three', null]]);
    t.find('four');
    t.fail();
    expect([t.browsing(), t.replies[3]]).toEqual([0, ['four', null]]);
  });

  it('answers as soon as it has decided while it browses anyway', () => {
    const t = run();
    t.find('one');
    t.want(true);
    t.find('two');
    t.seen(one);
    expect([t.replies, t.browsing()]).toEqual([[], 1]);
    t.pass(1500);
    t.find('three');
    t.seen(one, two);
    t.find('four');
    expect(t.replies).toEqual([
      ['one', '10.0.0.2'],
      ['two', '10.0.0.2'],
      ['three', '10.0.0.2'],
      ['four', null],
    ]);
  });

  it('answers at once where nothing can be found, and when it rests again', () => {
    const t = run();
    t.want(true);
    t.find('one');
    t.fail();
    t.find('two');
    t.pass(15_000);
    t.find('three');
    t.want(false);
    t.actor.send({ type: 'finder.switched-off' });
    t.find('four');
    expect(t.replies).toEqual(['one', 'two', 'three', 'four'].map((id) => [id, null]));
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
