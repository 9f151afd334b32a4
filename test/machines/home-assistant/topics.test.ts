import { describe, expect, it } from 'vitest';

import type { Topic } from '#machines/home-assistant/events.ts';
import { reasonsOf, watchedOf, watchedTopics } from '#machines/home-assistant/topics.ts';

const dashboard = (path: string): Topic => ({ kind: 'dashboard', path });
const entity = (entityId: string): Topic => ({ kind: 'entity', entityId });
const watches = {
  one: [dashboard('kitchen-panel'), entity('light.one'), { kind: 'floors' }],
  other: [dashboard('hall-panel'), dashboard('kitchen-panel'), entity('light.two'), { kind: 'floors' }],
} as const;

describe('what is watched', () => {
  it('is each topic once: dashboards by their path, entities by their id', () => {
    expect(watchedTopics(watches)).toEqual([
      dashboard('kitchen-panel'),
      entity('light.one'),
      { kind: 'floors' },
      dashboard('hall-panel'),
      entity('light.two'),
    ]);
  });

  it('knows of topics which of them are among it', () => {
    const asked = [
      dashboard('attic-panel'),
      dashboard('hall-panel'),
      entity('light.three'),
      { kind: 'floors' } as const,
    ];
    expect(watchedOf(watches, asked)).toEqual([dashboard('hall-panel'), { kind: 'floors' }]);
  });

  it('is of the light of one entity one topic for each length of time', () => {
    const light = (entityId: string, days: number): Topic => ({ kind: 'light-history', entityId, days });
    const topics = [light('sensor.one', 1), light('sensor.one', 7), light('sensor.two', 7), light('sensor.one', 7)];
    expect(watchedTopics({ one: topics })).toEqual(topics.slice(0, 3));
  });

  it('is of states one topic for each set of entities, device and range', () => {
    const states = (...entityIds: readonly string[]): Topic => ({ kind: 'states', entityIds });
    const area = (identifier: string): Topic => ({ kind: 'area-presence', identifier });
    const past = (entityId: string, from: number, to: number): Topic => ({
      kind: 'state-history',
      entityIds: [entityId],
      from,
      to,
    });
    const topics = [
      states('light.one'),
      states('light.one', 'light.two'),
      area('sconce_hall'),
      area('sconce_attic'),
      past('light.one', 1, 2),
      past('light.one', 1, 3),
      past('light.one', 2, 3),
      past('light.two', 2, 3),
    ];
    expect(watchedTopics({ one: topics, two: topics.toReversed() })).toEqual(topics);
    expect(watchedOf({ one: [states('light.one')] }, topics)).toEqual([states('light.one')]);
  });

  it.each([
    [{}, []],
    [{ one: [{ kind: 'states', entityIds: ['light.one'] }] }, ['entity']],
    [{ one: [{ kind: 'area-presence', identifier: 'sconce_hall' }] }, ['registry']],
    [{ one: [dashboard('kitchen-panel')] }, ['registry']],
    [{ one: [{ kind: 'account' }] }, ['registry']],
    [{ one: [entity('light.one')] }, ['entity']],
    [watches, ['registry', 'entity']],
  ] as const)('is the reason of a connection: %j', (watched, reasons) => {
    expect(reasonsOf({ lifecycle: false, watches: watched, requests: 0 })).toEqual(reasons);
  });
});
