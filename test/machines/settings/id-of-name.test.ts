import { describe, expect, it } from 'vitest';

import { idOfName } from '#machines/settings/id-of-name.ts';
import { type Configuration, defaultConfiguration } from '#machines/settings/merge.ts';
import { judgeProvision } from '#machines/settings/provision.ts';

const panel = (values: Configuration['values'] = {}): Configuration => ({
  ...defaultConfiguration,
  values: { ...defaultConfiguration.values, ...values },
});
const broker = 'mqtt://192.168.1.10';
const announced = { version: 1, devices: [{ panelId: 'vm', prefix: 'homeassistant', entries: [] }] };

describe('the panel id of a given name', () => {
  it.each<[string, Configuration, unknown, string | null]>([
    ['Kitchen', panel(), null, 'kitchen'],
    ['Küche links', panel(), { version: 1, devices: [] }, 'kuche_links'],
    ['vm', panel(), announced, 'vm'],
    ['Bath', panel({ friendly_name: 'Kitchen', panel_id: 'kitchen' }), null, 'bath'],
    // After a reset of the settings, with the same command line.
    ['Kitchen', panel(), { version: 1, devices: [...announced.devices, { panelId: 'kitchen' }] }, 'kitchen'],
    ['Kitchen', panel(), { devices: 'x' }, 'kitchen'],
  ])('%s is made as the set-up makes it', (name, current, section, id) => {
    expect(idOfName(name, current, section)).toBe(id);
  });

  it.each<[string, string, Configuration, unknown]>([
    ['nothing of the name is usable', '日本', panel(), null],
    ['an id was chosen', 'Kitchen', panel({ panel_id: 'upstairs' }), null],
    ['an id was chosen beside a name', 'Kitchen', panel({ friendly_name: 'Hall', panel_id: 'upstairs' }), null],
    ['the panel had a name and the id of its host', 'Kitchen', panel({ friendly_name: 'Hall' }), null],
    ['a broker was entered', 'Kitchen', panel({ mqtt_broker: broker }), null],
    [
      'a broker knows the id of the name',
      'Bath',
      panel({ friendly_name: 'A', panel_id: 'a', mqtt_broker: broker }),
      null,
    ],
    ['its entities were announced, through a broker that was found', 'Kitchen', panel(), announced],
    ['the same, with the id of the name', 'Bath', panel({ friendly_name: 'A', panel_id: 'a' }), announced],
  ])('is not made where %s', (_, name, current, section) => {
    expect(idOfName(name, current, section)).toBe(null);
  });
});

describe('values that are given with a name', () => {
  const given = { friendly_name: 'Kitchen' };
  const judge = (
    current: Configuration,
    values: Readonly<Record<string, string>>,
    last: Configuration['values'] = {},
  ) =>
    judgeProvision(
      current,
      values,
      (key, value) => (key in last ? last[key] === value : null),
      () => null,
    );

  it('include the id that it makes, which a later command line may still change', () => {
    expect(judge(panel(), given)).toMatchObject({
      patch: { friendly_name: 'Kitchen', panel_id: 'kitchen' },
      wanted: { panel_id: 'kitchen' },
    });
    const now = { friendly_name: 'Kitchen', panel_id: 'kitchen', mqtt_broker: broker };
    expect(judge(panel(now), { ...given, panel_id: 'bath' }, now)).toMatchObject({ patch: { panel_id: 'bath' } });
  });

  it('leave the id alone where another one is given, or the name is kept out', () => {
    expect(judge(panel(), { ...given, panel_id: 'bath' })).toMatchObject({ patch: { panel_id: 'bath' } });
    const own = { friendly_name: 'Mine', panel_id: 'mine' };
    expect(judge(panel(own), given)).toMatchObject({ patch: {}, kept: ['friendly_name'] });
  });
});
