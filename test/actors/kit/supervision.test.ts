import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { initialSupervision, supervise } from '#actors/kit/supervision.ts';
import type {
  GroupRules,
  RestartType,
  Strategy,
  SupervisionEffect,
  SupervisionEvent,
  SupervisionState,
} from '#actors/kit/supervision-state.ts';
import { amount } from '#test/fakes/amount.ts';

const rules = (over: Partial<GroupRules> = {}, ...restarts: RestartType[]): GroupRules => ({
  strategy: 'one_for_one',
  intensity: { restarts: 3, periodMs: 10_000 },
  onGiveUp: 'escalate',
  parkRetryMs: 60_000,
  backoff: { firstMs: 250, capMs: 30_000, jitter: 0.2 },
  children: (restarts.length > 0 ? restarts : (['permanent', 'permanent', 'permanent'] as const)).map((restart, n) => ({
    id: 'abcdef'[n] ?? '',
    restart,
    stopWithinMs: 500,
  })),
  ...over,
});

/** Runs events by hand: what it decided is kept as short words. */
function table(with_: GroupRules) {
  let state = initialSupervision(with_, 0);
  let now = 0;
  const words: string[] = [];
  const scheduled: { at: number; event: SupervisionEvent }[] = [];
  const word = (effect: SupervisionEffect): string =>
    effect.do === 'schedule'
      ? `in ${effect.delayMs} ${effect.event.type}`
      : effect.do === 'note'
        ? ''
        : effect.do === 'end'
          ? 'end'
          : `${effect.do} ${effect.id}`;
  const send = (event: SupervisionEvent): string[] => {
    const decision = supervise(with_, state, event, now);
    state = decision.state;
    for (const effect of decision.effects)
      if (effect.do === 'schedule') scheduled.push({ at: now + effect.delayMs, event: effect.event });
    const now_ = decision.effects.map(word).filter((text) => text !== '');
    words.push(...now_);
    return now_;
  };
  const childOf = (id: string) => {
    const facts = state.children.find((child) => child.id === id);
    if (!facts) throw new Error(id);
    return facts;
  };
  const ended = (id: string, how: 'stopped' | 'failed' = 'failed', random = 0.5): string[] =>
    send({
      type: 'ended',
      id,
      generation: childOf(id).generation,
      how,
      reason: how === 'failed' ? 'EIO' : 'exited',
      random,
    });
  const pass = (ms: number): string[] => {
    const until = now + ms;
    const done: string[] = [];
    for (;;) {
      const next = scheduled.filter(({ at }) => at <= until).toSorted((x, y) => x.at - y.at)[0];
      if (!next) break;
      scheduled.splice(scheduled.indexOf(next), 1);
      now = next.at;
      done.push(...send(next.event));
    }
    now = until;
    return done;
  };
  send({ type: 'begin' });
  words.length = 0;
  return {
    send,
    ended,
    pass,
    child: childOf,
    state: () => state,
    words,
    phases: () => state.children.map(({ phase }) => phase).join(' '),
  };
}

describe('restart types (OTP)', () => {
  for (const [restart, how, phase] of [
    ['permanent', 'failed', 'restarting'],
    ['permanent', 'stopped', 'restarting'],
    ['transient', 'failed', 'restarting'],
    ['transient', 'stopped', 'stopped'],
    ['temporary', 'failed', 'stopped'],
    ['temporary', 'stopped', 'stopped'],
  ] as const) {
    it(`${restart} ${how} -> ${phase}`, () => {
      const t = table(rules({}, restart));
      t.ended('a', how);
      expect(t.child('a')).toMatchObject({ phase, lastReason: how === 'failed' ? 'EIO' : 'exited' });
    });
  }

  it('a temporary or exited child takes no sibling down', () => {
    const t = table(rules({ strategy: 'one_for_all' }, 'permanent', 'temporary', 'transient'));
    t.ended('b');
    t.ended('c', 'stopped');
    expect(t.phases()).toBe('running stopped stopped');
  });

  it('an exited transient child comes back with its set, an ended temporary one does not', () => {
    const t = table(rules({ strategy: 'one_for_all' }, 'permanent', 'temporary', 'transient'));
    t.ended('b');
    t.ended('c', 'stopped');
    t.ended('a');
    t.pass(1000);
    expect(t.phases()).toBe('running stopped running');
  });
});

describe('strategies (OTP)', () => {
  for (const [strategy, stops] of [
    ['one_for_one', []],
    ['rest_for_one', ['c']],
    ['one_for_all', ['c', 'a']],
  ] as const satisfies readonly (readonly [Strategy, readonly string[]])[]) {
    it(strategy, () => {
      const t = table(rules({ strategy }));
      t.ended('b');
      for (const id of stops) t.ended(id, 'stopped');
      expect(t.words.filter((text) => text.startsWith('ask'))).toEqual(stops.map((id) => `ask-to-stop ${id}`));
      const started = t.pass(300);
      expect(started).toEqual(['b', ...stops].toSorted().map((id) => `start ${id}`));
    });
  }

  it('asks one after another, the next only when the one before is down', () => {
    const t = table(rules({ strategy: 'one_for_all' }));
    expect(t.ended('a')).toEqual(['remove a', 'ask-to-stop c', 'in 500 bound-passed']);
    expect(t.ended('c', 'stopped')).toEqual(['remove c', 'ask-to-stop b', 'in 500 bound-passed']);
    expect(t.pass(500)).toEqual(['remove b', 'in 250 restart-due']);
    expect(t.pass(250)).toEqual(['start a', 'start b', 'start c']);
  });

  it('a second crash while the set goes down joins it and counts once more only outside the set', () => {
    const t = table(rules({ strategy: 'rest_for_one' }));
    t.ended('b');
    t.ended('c');
    expect(t.state().recent).toHaveLength(1);
    t.ended('a');
    expect(t.state().recent).toHaveLength(2);
    expect(t.pass(600)).toEqual(['start a', 'start b', 'start c']);
  });

  it('drops a late fact of an older generation', () => {
    const t = table(rules());
    t.ended('a');
    t.pass(300);
    const before = t.state();
    t.send({ type: 'ended', id: 'a', generation: 1, how: 'failed', reason: 'late', random: 0 });
    t.send({ type: 'bound-passed', id: 'a', generation: 1 });
    t.send({ type: 'restart-due', round: 1 });
    expect(t.state()).toEqual(before);
  });
});

describe('intensity, back-off, give-up', () => {
  it('doubles the pause within the period, spread by the given chance', () => {
    const t = table(rules());
    expect(t.ended('a', 'failed', 0.5)).toContain('in 250 restart-due');
    t.pass(250);
    expect(t.ended('a', 'failed', 0)).toContain('in 400 restart-due');
    t.pass(400);
    expect(t.ended('a', 'failed', 0.999_999)).toContain('in 1200 restart-due');
  });

  it('counts the restarts of the whole group, as OTP does', () => {
    const t = table(rules({ intensity: { restarts: 1, periodMs: 10_000 } }));
    t.ended('a');
    t.ended('b');
    expect(t.state().outcome).toEqual({ ended: 'failed', reason: 'gave-up/b/EIO' });
    expect(t.words.at(-2)).toBe('ask-to-stop c');
    t.ended('c', 'stopped');
    expect(t.words.at(-1)).toBe('end');
    expect(t.phases()).toBe('stopped stopped stopped');
  });

  it('allows exactly so many restarts per period', () => {
    const t = table(rules({ intensity: { restarts: 2, periodMs: 10_000 } }));
    t.ended('a');
    t.pass(4000);
    t.ended('a');
    t.pass(6000);
    t.ended('a');
    expect(t.state().status).toBe('running');
    t.pass(1000);
    t.ended('a');
    expect(t.state().outcome).toMatchObject({ ended: 'failed' });
  });

  it('a clock that was set back does not keep old restarts for ever', () => {
    const with_ = rules({ intensity: { restarts: 1, periodMs: 10_000 } });
    let state = supervise(with_, initialSupervision(with_, 0), { type: 'begin' }, 1e12).state;
    state = supervise(
      with_,
      state,
      { type: 'ended', id: 'a', generation: 1, how: 'failed', reason: 'x', random: 0 },
      1e12,
    ).state;
    state = supervise(with_, state, { type: 'restart-due', round: state.round }, 5).state;
    state = supervise(
      with_,
      state,
      { type: 'ended', id: 'a', generation: state.generation, how: 'failed', reason: 'x', random: 0 },
      6,
    ).state;
    expect(state.status).toBe('running');
  });

  it('parks one child and gives it a fresh count when it is tried again', () => {
    const t = table(rules({ onGiveUp: 'park', intensity: { restarts: 0, periodMs: 10_000 } }));
    expect(t.ended('a')).toEqual(['remove a', 'in 60000 retry-due']);
    expect(t.phases()).toBe('parked running running');
    expect(t.pass(60_000)).toEqual(['start a']);
    expect(t.state().recent).toEqual([]);
  });

  it('does not bring a parked child back in the middle of a recovery, only after it', () => {
    const t = table(
      rules(
        { strategy: 'rest_for_one', onGiveUp: 'park', intensity: { restarts: 1, periodMs: 1000 } },
        'permanent',
        'permanent',
      ),
    );
    t.ended('b');
    t.pass(300);
    t.ended('b');
    expect(t.phases()).toBe('running parked');
    t.pass(59_900);
    t.ended('a');
    expect(t.phases()).toBe('restarting parked');
    expect(t.pass(200)).not.toContain('start b');
    t.pass(1000);
    expect(t.phases()).toBe('running running');
  });

  it('what is going down to be parked with its culprit is not restarted without it', () => {
    const t = table(rules({ strategy: 'rest_for_one', onGiveUp: 'park', intensity: { restarts: 1, periodMs: 1000 } }));
    t.ended('b');
    t.ended('c', 'stopped');
    t.pass(300);
    t.ended('b');
    expect(t.phases()).toBe('running parked stopping');
    t.pass(400);
    t.pass(1);
    t.ended('c', 'stopped');
    expect(t.phases()).toBe('running parked parked');
  });

  it('also when an earlier sibling crashes meanwhile', () => {
    const t = table(rules({ strategy: 'rest_for_one', onGiveUp: 'park', intensity: { restarts: 0, periodMs: 1 } }));
    t.ended('b');
    expect(t.phases()).toBe('running parked stopping');
    t.ended('a');
    t.ended('c', 'stopped');
    expect(t.phases()).toBe('parked parked parked');
    const roomy = table(
      rules({ strategy: 'rest_for_one', onGiveUp: 'park', intensity: { restarts: 2, periodMs: 10_000 } }),
    );
    for (let n = 0; n < 3; n += 1) {
      roomy.ended('b');
      if (n < 2) {
        roomy.ended('c', 'stopped');
        roomy.pass(500);
      }
    }
    expect(roomy.phases()).toBe('running parked stopping');
    roomy.ended('a');
    roomy.ended('c', 'stopped');
    roomy.pass(1000);
    expect(roomy.phases()).toBe('running parked parked');
  });
});

describe('a child that does not always run', () => {
  const held = (phase: 'waiting' | 'off' | null, stopWithinMs: number | null = 500): GroupRules =>
    rules({
      onGiveUp: 'park',
      intensity: { restarts: 1, periodMs: 10_000 },
      children: [
        { id: 'a', restart: 'permanent', stopWithinMs: 500 },
        { id: 'b', restart: 'permanent', stopWithinMs, held: phase },
      ],
    });
  const adopt = { type: 'adopt', id: 'b' } as const;
  const dismiss = { type: 'dismiss', id: 'b' } as const;

  it.each([
    ['starts with its group', held(null), 'running running'],
    ['waits', held('waiting'), 'running waiting'],
    ['is off', held('off'), 'running off'],
  ])('%s', (_, with_, phases) => expect(table(with_).phases()).toBe(phases));

  it.each([
    ['waits and is adopted', held('waiting', null), [adopt], ['start b'], 'running'],
    ['is off and is adopted', held('off', null), [adopt], ['start b'], 'running'],
    ['is adopted twice', held('off', null), [adopt, adopt], ['start b'], 'running'],
    ['waits and is dismissed', held('waiting', null), [dismiss], ['release b'], 'off'],
    ['is dismissed twice', held(null, null), [dismiss, dismiss], ['remove b', 'release b'], 'off'],
    ['is asked to stop', held(null), [dismiss], ['ask-to-stop b', 'in 500 bound-passed'], 'stopping'],
    ['is turned off and on', held(null, null), [dismiss, adopt], ['remove b', 'release b', 'start b'], 'running'],
  ])('%s', (_, with_, events, effects, phase) => {
    const t = table(with_);
    for (const event of events) t.send(event);
    expect([t.words, t.child('b').phase]).toEqual([effects, phase]);
    expect([t.child('a').phase, t.child('a').generation, t.child('b').restarts]).toEqual(['running', 1, 0]);
  });

  it('is off once it has stopped, by itself or by the bound', () => {
    const t = table(held(null));
    t.send(dismiss);
    expect(t.ended('b', 'stopped')).toEqual(['remove b', 'release b']);
    t.send(adopt);
    t.send(dismiss);
    expect(t.pass(500)).toEqual(['remove b', 'release b']);
    expect(t.phases()).toBe('running off');
    expect(t.pass(100_000)).toEqual([]);
  });

  it('starts right after it has stopped where it is adopted meanwhile, and the last word counts', () => {
    const t = table(held(null));
    for (const event of [dismiss, adopt, dismiss, adopt]) t.send(event);
    expect(t.phases()).toBe('running stopping');
    expect(t.ended('b', 'stopped')).toEqual(['remove b', 'start b']);
    for (const event of [dismiss, adopt, dismiss]) t.send(event);
    expect(t.ended('b', 'failed')).toEqual(['remove b', 'release b']);
    expect(t.phases()).toBe('running off');
  });

  it('is not brought back by a restart or a retry that was on the way', () => {
    const t = table(held(null));
    t.ended('b');
    expect(t.phases()).toBe('running restarting');
    t.send(dismiss);
    t.pass(1000);
    expect(t.phases()).toBe('running off');
    t.send(adopt);
    t.ended('b');
    t.pass(1000);
    t.ended('b');
    expect(t.phases()).toBe('running parked');
    t.send(dismiss);
    t.pass(100_000);
    expect(t.phases()).toBe('running off');
  });

  it('holds up no sibling that restarts while it stops, however many do', () => {
    const children = ['a', 'b', 'c'].map((id) => ({ id, restart: 'permanent', stopWithinMs: 500 }) as const);
    const t = table(rules({ strategy: 'one_for_one', onGiveUp: 'park', children }));
    t.send({ type: 'begin' });
    t.send({ type: 'dismiss', id: 'c' });
    t.ended('a');
    t.ended('b');
    expect(t.phases()).toBe('restarting restarting stopping');
    t.pass(10_000);
    expect(t.phases()).toBe('running running off');
  });

  it('has its crashes forgiven once it was off', () => {
    const t = table(held(null));
    t.ended('b');
    t.pass(1000);
    t.send(dismiss);
    t.ended('b', 'stopped');
    t.send(adopt);
    t.ended('b');
    expect(t.phases()).toBe('running restarting');
  });

  it('stays down once its group stops', () => {
    const t = table(held('off'));
    t.send({ type: 'shutdown' });
    t.send(adopt);
    expect(t.ended('a', 'stopped')).toEqual(['remove a', 'end']);
    expect(t.phases()).toBe('stopped stopped');
  });
});

describe('random sequences', () => {
  const anyRules = fc.record({
    strategy: fc.constantFrom<Strategy>('one_for_one', 'rest_for_one', 'one_for_all'),
    onGiveUp: fc.constantFrom<'escalate' | 'park'>('escalate', 'park'),
    restarts: fc.integer({ min: 0, max: 3 }),
    children: fc.array(
      fc.record({
        restart: fc.constantFrom<RestartType>('permanent', 'transient', 'temporary'),
        stopWithinMs: fc.constantFrom(null, 500),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  });
  const anySteps = fc.array(
    fc.record({
      what: fc.constantFrom(
        'fail',
        'fail',
        'fail',
        'exit',
        'late',
        'time',
        'time',
        'time',
        'revive',
        'shutdown',
        'adopt',
        'dismiss',
      ),
      child: fc.nat(3),
      ms: fc.integer({ min: 0, max: 3000 }),
      random: fc.double({ min: 0, max: 0.999, noNaN: true }),
    }),
    { maxLength: 60 },
  );

  it('keep one generation per child, the order, the intensity, and an end to every shutdown', () => {
    fc.assert(
      fc.property(anyRules, anySteps, (shape, steps) => {
        const with_ = rules({
          strategy: shape.strategy,
          onGiveUp: shape.onGiveUp,
          intensity: { restarts: shape.restarts, periodMs: 5000 },
          backoff: { firstMs: 100, capMs: 2000, jitter: 0.2 },
          parkRetryMs: 4000,
          children: shape.children.map((rule, n) => ({ ...rule, id: 'abcdef'[n] ?? '' })),
        });
        let state: SupervisionState = initialSupervision(with_, 0);
        let now = 0;
        const alive = new Map<string, number>();
        const timers: { at: number; event: SupervisionEvent }[] = [];
        const recoveries: number[] = [];
        let ends = 0;
        const index = (id: string): number => with_.children.findIndex((rule) => rule.id === id);
        const send = (event: SupervisionEvent): void => {
          const { state: after, effects } = supervise(with_, state, event, now);
          let lastStarted = -1;
          for (const effect of effects) {
            if (effect.do === 'start') {
              if (alive.has(effect.id)) throw new Error('two generations');
              if (index(effect.id) < lastStarted) throw new Error('started out of order');
              if (ends > 0 || after.status !== 'running') throw new Error('started while stopping');
              if (with_.strategy === 'rest_for_one') {
                const earlier = after.children.slice(0, index(effect.id));
                if (earlier.some((child) => child.phase === 'restarting' || child.phase === 'stopping'))
                  throw new Error('started before what it needs');
              }
              lastStarted = index(effect.id);
              alive.set(effect.id, effect.generation);
            } else if (effect.do === 'remove') {
              if (alive.get(effect.id) !== effect.generation) throw new Error('removed what is not there');
              alive.delete(effect.id);
            } else if (effect.do === 'ask-to-stop') {
              if (alive.get(effect.id) !== effect.generation) throw new Error('asked what is not there');
            } else if (effect.do === 'schedule') timers.push({ at: now + effect.delayMs, event: effect.event });
            else if (effect.do === 'end') ends += 1;
            else if (effect.do === 'note' && effect.fact.type === 'restarting') recoveries.push(now);
          }
          state = after;
          if (state.children.filter((child) => child.phase === 'stopping').length > 1)
            throw new Error('stops two at once');
          for (const child of state.children) {
            const up = child.phase === 'running' || child.phase === 'stopping';
            if (up !== alive.has(child.id)) throw new Error('facts differ from what runs');
          }
        };
        const pass = (ms: number): void => {
          const until = now + ms;
          for (;;) {
            const next = timers.filter(({ at }) => at <= until).toSorted((x, y) => x.at - y.at)[0];
            if (!next) break;
            timers.splice(timers.indexOf(next), 1);
            now = next.at;
            send(next.event);
          }
          now = until;
        };
        send({ type: 'begin' });
        for (const step of steps) {
          const child = state.children[step.child % state.children.length];
          if (!child) continue;
          const end = { type: 'ended', id: child.id, reason: 'x', random: step.random } as const;
          if (step.what === 'time') pass(step.ms);
          else if (step.what === 'revive') send({ type: 'revive', id: child.id });
          // A part that is turned on and off stands in such a group alone.
          else if (step.what === 'adopt' || step.what === 'dismiss') {
            if (with_.strategy === 'one_for_one') send({ type: step.what, id: child.id });
          } else if (step.what === 'shutdown' && step.ms < 300) send({ type: 'shutdown' });
          else if (step.what === 'late') send({ ...end, how: 'failed', generation: child.generation - 1 });
          else if (step.what === 'fail') send({ ...end, how: 'failed', generation: child.generation });
          else if (step.what === 'exit') send({ ...end, how: 'stopped', generation: child.generation });
        }
        if (with_.onGiveUp === 'escalate') {
          for (const at of recoveries)
            expect(recoveries.filter((other) => other >= at && other - at < 5000).length).toBeLessThanOrEqual(
              shape.restarts,
            );
        }
        // Left alone, everything that is not parked comes back.
        if (state.status === 'running') {
          pass(5000);
          for (const child of state.children)
            if (state.status === 'running') expect(['running', 'stopped', 'parked', 'off']).toContain(child.phase);
          pass(60_000);
          for (const child of state.children) expect(['running', 'stopped', 'off']).toContain(child.phase);
        }
        send({ type: 'shutdown' });
        pass(500 * with_.children.length);
        expect(state.status).toBe('ended');
        expect(alive.size).toBe(0);
        expect(ends).toBe(1);
        expect(JSON.parse(JSON.stringify(state))).toEqual(state);
      }),
      { numRuns: amount(100, 1500) },
    );
  });
});
