import { describe, expect, it } from 'vitest';
import type { SettingGroup } from '#machines/kit/setting.ts';
import { groupsOf, pathOfField, READINGS_PAGE, settingGroups, settingPages } from '#machines/setting-groups.ts';
import { descriptors } from '#machines/settings.ts';
import { icons } from '#ui/icons.ts';

const ids = settingGroups.map(({ id }) => id);
const group = (id: string, after: string | null): SettingGroup => ({ id, title: id, icon: 'tune', after });

describe('groups of settings', () => {
  it('stand in the order of what a panel needs first', () =>
    expect(ids).toEqual([
      'home-assistant',
      'mqtt',
      'identity',
      'dashboard',
      'screen',
      'sleep',
      'sound',
      'camera',
      'voice',
      'sensors',
      'system',
      'diagnostics',
    ]));

  it('are declared: no setting names another one', () =>
    expect(
      descriptors.filter((row) => !ids.includes(row.group)).map(({ key, group: named }) => `${key} names ${named}`),
    ).toEqual([]));

  it('have a title, an icon that exists, and a name for their address', () => {
    for (const { id, title, icon } of settingGroups) {
      expect(title).toMatch(/^[A-Z]/);
      expect(Object.keys(icons)).toContain(icon);
      expect(id).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
    }
    expect(ids).not.toContain(READINGS_PAGE);
  });

  it('are refused where two have one name, or stand after what nobody declares', () => {
    const declaring = (...groups: readonly SettingGroup[]) => [{ ids: [], group: null, settingGroups: groups }];
    expect(groupsOf(declaring(group('b', 'a'), group('a', null))).map(({ id }) => id)).toEqual(['a', 'b']);
    expect(() => groupsOf(declaring(group('a', null), group('a', null)))).toThrow('"a" twice');
    expect(() => groupsOf(declaring(group('a', 'attic')))).toThrow('"a" stands after "attic", which does not exist');
  });

  it('with nothing to set have no page', () => {
    expect(settingPages).toEqual([...ids.filter((id) => id !== 'diagnostics'), READINGS_PAGE]);
  });

  it.each([
    ['mqtt_password', '/configure/mqtt#field-mqtt_password'],
    ['ha_url', '/configure/home-assistant#field-ha_url'],
    ['diag_cpu', '/configure/readings#expose-diag_cpu'],
    ['no_such_setting', '/configure'],
  ])('lead to %s by its place on its page', (key, path) => expect(pathOfField(key)).toBe(path));
});
