import { afterEach, describe, expect, it } from 'vitest';

import { rendererChanges } from '#actors/renderer-changes.ts';
import type { Reading } from '#machines/home-assistant/events.ts';
import type { LifecycleState } from '#machines/home-assistant/lifecycle.ts';
import type { ChangeCommand, ChangeEvent } from '#machines/renderer/change-events.ts';
import { withReadOuts } from '#test/fakes/home-assistant-read-outs.ts';
import { runDriver, type RunningDriver } from '../drivers/run-driver.ts';

const state = (lifecycle: LifecycleState | null) => ({
  lifecycle: lifecycle === null ? null : { state: lifecycle, source: null },
});
const stored = (configuration: unknown, path = 'lovelace'): Reading => ({
  kind: 'dashboard',
  path,
  origin: 'stored',
  configuration,
});
const titled = (title: string, ...sections: readonly string[]): Reading => ({
  kind: 'dashboards',
  dashboards: [{ path: 'lovelace', title }],
  sections,
});

describe('what tells that a dashboard is worth another try', () => {
  let driver: RunningDriver<ChangeCommand, ChangeEvent> | undefined;
  afterEach(() => driver?.stop());

  const start = () => {
    const { registry, read } = withReadOuts({ 'home-assistant': state('normal') });
    const running = runDriver<ChangeCommand, ChangeEvent>(rendererChanges(registry));
    driver = running;
    const watched = () =>
      registry.told.flatMap(({ event }) =>
        event.type === 'home-assistant.watch' && 'topics' in event ? [event.topics] : [],
      );
    return {
      registry,
      watched,
      read,
      tell: (dashboard: string | null, home: string | null = null, origin = 'http://home.test') =>
        running.tell({ type: 'changes.watch', dashboard, home, origin }),
      news: () => running.facts.map((fact) => (fact.type === 'home.listed' ? fact.isListed : fact.trigger)),
    };
  };

  it('watches the dashboard and the list of them, only while it is told to', () => {
    const { tell, watched } = start();
    expect(watched()).toEqual([]);
    tell(null);
    expect(watched()).toEqual([]);
    tell('lovelace');
    tell('lovelace');
    expect(watched()).toEqual([[{ kind: 'dashboards' }, { kind: 'dashboard', path: 'lovelace' }]]);
    tell('');
    tell(null);
    expect(watched().slice(1)).toEqual([[{ kind: 'dashboards' }], []]);
  });

  it('tells of a change, and of nothing that is only read out', () => {
    const { tell, read, news } = start();
    read(stored({ views: [1] }));
    tell('lovelace');
    read(titled('Hall'));
    read(stored({ views: [1] }));
    // Again with another connection, and for what another caller watches.
    read(stored({ views: [1] }));
    read(stored({ views: [2] }, 'kitchen'));
    read({ kind: 'areas', areas: [] });
    expect(news()).toEqual([]);
    read(stored({ views: [1, 2] }));
    expect(news()).toEqual(['changed']);
    read(titled('Stairs'));
    expect(news()).toEqual(['changed', 'changed']);
    tell(null);
    read(stored({ views: [] }));
    expect(news()).toHaveLength(2);
  });

  it.each([
    [['shutting_down', 'connection_lost', 'starting', 'back_online', 'normal'], ['restarted']],
    [['connection_lost', 'back_online'], ['restarted']],
    [['normal', null, 'normal'], []],
  ] as const)('%j: %j', (states, told) => {
    const { registry, news } = start();
    for (const one of states) registry.put('home-assistant', state(one));
    expect(news()).toEqual(told);
  });

  it('reports whether Home Assistant has the home dashboard, once for each change', () => {
    const { registry, tell, read, news, watched } = start();
    tell(null, 'hall');
    expect(watched()).toEqual([[{ kind: 'dashboards' }]]);
    read(titled('Hall', 'lovelace', 'hall'));
    read(titled('Stairs', 'lovelace', 'hall'));
    expect(news()).toEqual([true]);
    read(titled('Stairs', 'lovelace'));
    expect(news()).toEqual([true, false]);
    // Its list is not complete while it starts.
    registry.put('home-assistant', state('starting'));
    read(titled('Stairs'));
    read(titled('Stairs', 'hall'));
    expect(news()).toEqual([true, false]);
    registry.put('home-assistant', state('back_online'));
    expect(news()).toEqual([true, false, 'restarted', true]);
    tell(null, 'kitchen');
    expect(news().slice(4)).toEqual([false]);
    // Another Home Assistant has another list.
    tell(null, 'kitchen', 'http://other.test');
    expect(news()).toHaveLength(5);
  });

  it('asks again of a connection that was restarted', () => {
    const { registry, tell, watched } = start();
    tell('lovelace');
    registry.put('home-assistant', undefined);
    const before = watched().length;
    registry.put('home-assistant', state(null));
    expect(watched().slice(before)).toEqual([[{ kind: 'dashboards' }, { kind: 'dashboard', path: 'lovelace' }]]);
  });
});
