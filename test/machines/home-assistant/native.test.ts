import { describe, expect, it } from 'vitest';

import type { HomeLife } from '#machines/companion/events.ts';
import { type Lifecycle, lifecycleAfter, type LifecycleState } from '#machines/home-assistant/lifecycle.ts';
import { needs, start } from './rig.ts';

const at = (state: LifecycleState, source: Lifecycle['source'] = null): Lifecycle => ({ state, source });

describe('a sign of the integration in Home Assistant', () => {
  it.each<[Lifecycle | null, HomeLife, Lifecycle | null]>([
    [null, 'running', at('normal')],
    [null, 'starting', at('starting', 'native')],
    [null, 'stopping', at('shutting_down', 'native')],
    [null, 'lost', at('connection_lost')],
    [at('normal'), 'running', at('normal')],
    [at('normal'), 'stopping', at('shutting_down', 'native')],
    [at('normal'), 'starting', at('starting', 'native')],
    [at('normal'), 'lost', at('connection_lost')],
    [at('normal'), 'held', at('normal')],
    [at('shutting_down', 'native'), 'lost', at('shutting_down', 'native')],
    [at('shutting_down', 'native'), 'held', at('shutting_down', 'native')],
    [at('shutting_down', 'native'), 'starting', at('starting', 'native')],
    [at('shutting_down', 'native'), 'running', at('back_online', 'native')],
    [at('starting', 'native'), 'running', at('back_online', 'native')],
    [at('starting', 'native'), 'lost', at('connection_lost')],
    [at('connection_lost'), 'running', at('back_online', 'native')],
    [at('connection_lost'), 'starting', at('starting', 'native')],
    [at('back_online', 'native'), 'running', at('back_online', 'native')],
    [at('back_online', 'native'), 'held', at('back_online', 'native')],
    [at('normal'), null, null],
  ])('after %o, %s: %o', (before, life, after) => {
    for (const hearsEvents of [true, false])
      expect(lifecycleAfter(before, { type: 'native', life }, hearsEvents)).toEqual(after);
  });
});

const says = (life: HomeLife) => ({ type: 'native.observed', life }) as const;
const native = (change = {}) => needs({ native: true, ...change });

describe('with the integration', () => {
  it('the lifecycle is known without a renderer, and no connection is held for it', () => {
    const rig = start();
    rig.hear(native({ lifecycle: false, credential: false, revision: 0 }), says('running'));
    expect([rig.health(), rig.phase(), rig.facts().reasons, rig.attempts.length]).toEqual([
      'ha=normal',
      'closed',
      [],
      0,
    ]);
  });

  it('a restart is told from its beginning to a minute after its end', () => {
    const rig = start();
    rig.hear(native(), says('running'), says('stopping'));
    expect(rig.health()).toBe('ha=shutting_down ha_src=native');
    rig.hear(says('starting'));
    expect(rig.health()).toBe('ha=starting ha_src=native');
    rig.hear(says('running'));
    rig.clock.increment(59_999);
    expect(rig.health()).toBe('ha=back_online ha_src=native');
    rig.clock.increment(1);
    expect(rig.health()).toBe('ha=normal');
  });

  it('a loss has no source', () => {
    const rig = start();
    rig.hear(native(), says('running'), says('lost'));
    expect(rig.health()).toBe('ha=connection_lost');
  });

  it('a renderer holds no connection either', () => {
    const rig = start();
    rig.hear(native({ lifecycle: true }));
    expect(rig.facts().reasons).toEqual([]);
  });

  it('the broker and the events of a connection that something else needs do not count', () => {
    const rig = start();
    rig.hear(native(), says('running'));
    rig.hear({ type: 'home-assistant.watch', watcher: 'a', topics: [{ kind: 'dashboards' }] });
    rig.live();
    rig.notice('stopping');
    rig.hear({ type: 'will.observed', online: false });
    rig.end('reset');
    expect(rig.facts().lifecycle).toEqual(at('normal'));
    rig.hear(says('stopping'));
    rig.live();
    rig.commanded();
    rig.probe(20);
    rig.hear({ type: 'will.observed', online: true });
    expect([rig.facts().lifecycle, rig.commanded()]).toEqual([at('shutting_down', 'native'), []]);
  });

  it('a refused sign-in takes nothing away', () => {
    const rig = start();
    rig.hear(native(), says('running'));
    rig.hear({ type: 'home-assistant.watch', watcher: 'a', topics: [{ kind: 'dashboards' }] });
    rig.end('auth-invalid');
    rig.clock.increment(60_000);
    rig.end('auth-invalid');
    expect([rig.phase(), rig.facts().lifecycle]).toEqual(['refused', at('normal')]);
    rig.hear(native({ revision: 2 }));
    expect(rig.facts().lifecycle).toEqual(at('normal'));
  });

  it('a move forgets what the other way said', () => {
    const rig = start();
    rig.hear(needs());
    rig.live();
    expect(rig.facts().lifecycle).toEqual(at('normal'));
    rig.hear(says('stopping'));
    expect(rig.facts().lifecycle).toEqual(at('normal'));
    rig.hear(native());
    expect(rig.facts().lifecycle).toBeNull();
    rig.hear(says('running'), needs());
    expect([rig.facts().lifecycle, rig.facts().reasons]).toEqual([null, ['lifecycle']]);
  });
});
