import { describe, expect, it } from 'vitest';

import type { Answer, Ask } from '#drivers/home-assistant/bounded.ts';
import { readOwnDevice } from '#drivers/home-assistant/own-device.ts';

const DEVICES = 'config/device_registry/list';
const ENTITIES = 'config/entity_registry/list';
const ISSUES = 'repairs/list_issues';

const device = (id: string, more: object = {}) => ({ id, identifiers: [['mqtt', id]], disabled_by: null, ...more });
const own = device('sconce_hall');
const entity = (entityId: string, more: object = {}) => ({
  entity_id: entityId,
  device_id: 'sconce_hall',
  disabled_by: null,
  ...more,
});
const waiting = { issues: [{ issue_id: 'config_entry_reauth_mqtt_01ABC' }, { issue_id: 'other' }] };

/** Looks at a Home Assistant that gives these answers by command and has these states, and refuses what is not here. */
async function look(
  results: Readonly<Record<string, unknown>>,
  states: Readonly<Record<string, string>> | null = {},
  known: readonly string[] = [],
) {
  const asked: string[] = [];
  const ask: Ask = ({ type }): Promise<Answer<unknown>> => {
    asked.push(type);
    return Promise.resolve(
      Object.hasOwn(results, type) ? { ok: true, value: results[type] } : { ok: false, code: 'unauthorized' },
    );
  };
  const found = await readOwnDevice({ identifier: 'sconce_hall', known }, ask, (ids) =>
    Promise.resolve(states && Object.fromEntries(Object.entries(states).filter(([id]) => ids.includes(id)))),
  );
  return { asked, found: found && [found.state, found.integration, found.entityIds] };
}

describe('what Home Assistant shows of the panel', () => {
  it.each<[string, Readonly<Record<string, unknown>>, Readonly<Record<string, string>> | null, unknown]>([
    [
      'is live with one entity that has a state, which comes first',
      {
        [DEVICES]: [own],
        [ENTITIES]: [entity('button.a'), entity('light.b'), entity('light.other', { device_id: 'x' })],
      },
      { 'button.a': 'unavailable', 'light.b': 'off', 'light.other': 'on' },
      ['live', 'present', ['light.b', 'button.a']],
    ],
    [
      'is unavailable where none has',
      {
        [DEVICES]: [own],
        [ENTITIES]: [entity('light.b'), entity('light.c', { disabled_by: 'integration' })],
        [ISSUES]: { issues: [] },
      },
      { 'light.b': 'unavailable' },
      ['unavailable', 'present', ['light.b']],
    ],
    [
      'waits for a password',
      { [DEVICES]: [own], [ENTITIES]: [entity('light.b')], [ISSUES]: waiting },
      { 'light.b': 'unavailable' },
      ['unavailable', 'waits-for-password', ['light.b']],
    ],
    [
      'is disabled with its integration',
      { [DEVICES]: [device('sconce_hall', { disabled_by: 'config_entry' })] },
      {},
      ['disabled', 'disabled', []],
    ],
    [
      'is disabled by a person',
      { [DEVICES]: [device('sconce_hall', { disabled_by: 'user' })] },
      {},
      ['disabled', 'present', []],
    ],
    [
      'is absent, and the integration is disabled with all its devices',
      {
        [DEVICES]: [
          device('other', { disabled_by: 'config_entry' }),
          { id: 'hue', identifiers: [['hue', 'sconce_hall']] },
        ],
      },
      {},
      ['absent', 'disabled', []],
    ],
    [
      'is absent, and the integration waits',
      { [DEVICES]: [], [ISSUES]: waiting },
      {},
      ['absent', 'waits-for-password', []],
    ],
    [
      'is absent, and so is the integration',
      { [DEVICES]: [], [ISSUES]: { issues: [] }, get_config: { components: ['http'] } },
      {},
      ['absent', 'absent', []],
    ],
    [
      'is absent for no reason that is known',
      { [DEVICES]: [], get_config: { components: ['mqtt'] } },
      {},
      ['absent', 'present', []],
    ],
    ['is not known where the registry is not told', {}, {}, null],
    ['is not known where the entities are not told', { [DEVICES]: [own] }, {}, null],
    ['is not known where the states are not told', { [DEVICES]: [own], [ENTITIES]: [entity('light.b')] }, null, null],
    ['takes no shape for granted', { [DEVICES]: 'x', [ISSUES]: 7, get_config: [] }, {}, ['absent', 'present', []]],
  ])('%s', async (_, results, states, found) => {
    expect((await look(results, states)).found).toEqual(found);
  });

  it('asks for no list while an entity that is known is live', async () => {
    expect(await look({}, { 'light.b': 'on' }, ['light.b', 'light.c'])).toEqual({
      asked: [],
      found: ['live', 'present', ['light.b', 'light.c']],
    });
    const gone = await look({ [DEVICES]: [own], [ENTITIES]: [entity('light.new')] }, { 'light.new': 'on' }, [
      'light.b',
    ]);
    expect(gone.found).toEqual(['live', 'present', ['light.new']]);
    expect(await look({ [DEVICES]: [own] }, null, ['light.b'])).toEqual({ asked: [], found: null });
  });

  it('asks nothing that is for administrators alone', async () => {
    const all = await look({ [DEVICES]: [own], [ENTITIES]: [], [ISSUES]: { issues: [] } });
    const absent = await look({ [DEVICES]: [], [ISSUES]: { issues: [] }, get_config: {} });
    expect(new Set([...all.asked, ...absent.asked])).toEqual(new Set([DEVICES, ENTITIES, ISSUES, 'get_config']));
  });
});
