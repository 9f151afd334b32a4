import { describe, expect, it } from 'vitest';

import { entityAfter } from '#drivers/home-assistant/entity-state.ts';

const ID = 'sensor.lux';
const before = { kind: 'entity', entityId: ID, state: '12', deviceClass: 'illuminance', unit: 'lx' } as const;
const changed = (change: object) => ({ c: { [ID]: change } });

describe('an entity after an event', () => {
  it.each<[string, unknown, object | null]>([
    ['that changes its state', changed({ '+': { s: '13', lc: 1 } }), { ...before, state: '13' }],
    [
      'that changes its unit alone',
      changed({ '+': { a: { unit_of_measurement: 'klx' }, lu: 1 } }),
      { ...before, unit: 'klx' },
    ],
    [
      'that takes its unit away',
      changed({ '+': { lu: 1 }, '-': { a: ['unit_of_measurement', 'friendly_name'] } }),
      { ...before, unit: null },
    ],
    [
      'that takes both away and says nothing else',
      changed({ '-': { a: ['device_class', 'unit_of_measurement'] } }),
      { ...before, deviceClass: null, unit: null },
    ],
    ['that takes away what is no list', changed({ '-': { a: 'unit_of_measurement' } }), before],
    [
      'that adds it whole',
      { a: { [ID]: { s: '5', a: {} } } },
      { ...before, state: '5', deviceClass: null, unit: null },
    ],
    ['that removes it', { r: [ID] }, { ...before, state: null, deviceClass: null, unit: null }],
    ['about another', { c: { 'sensor.other': { '+': { s: '13' } } } }, null],
  ])('%s', (_, event, after) => expect(entityAfter(ID, before, event)).toEqual(after));
});
