import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { operationsOf, protectedSettings } from '#machines/settings/operations-of.ts';
import { describeSetting } from '#machines/settings/registry.ts';
import { unapproved } from '#machines/settings/unapproved.ts';

const meta = { title: 'A', help: 'A.', group: 'system', tier: 'basic', scope: 'device' };
const settings = [
  describeSetting(
    'outside',
    z
      .boolean()
      .default(false)
      .meta({ ...meta, title: 'Outside', consent: 'OUTSIDE' }),
  ),
  describeSetting(
    'camera',
    z
      .boolean()
      .default(false)
      .meta({ ...meta, title: 'Camera', consent: 'CAMERA' }),
  ),
  describeSetting(
    'program',
    z
      .enum(['builtin', 'other'])
      .default('builtin')
      .meta({ ...meta, title: 'Program', protects: { operation: 'SHOW' } }),
  ),
  describeSetting(
    'zoom',
    z
      .int()
      .min(1)
      .max(9)
      .default(1)
      .meta({ ...meta, title: 'Zoom', protects: { operation: 'SHOW' } }),
  ),
];
const rowOf = (key: string) => settings.find((row) => row.key === key);
const values = { outside: false, camera: true, program: 'other', zoom: 1 };

describe('the operations of a patch', () => {
  it.each<[string, Readonly<Record<string, unknown>>, readonly [string, string, unknown][]]>([
    ['none of other settings', { friendly_name: 'Hall', ha_expose_outside: true }, []],
    ['none for what is on already', { camera: true }, []],
    ['one for what is turned on', { outside: true }, [['outside', 'OUTSIDE', true]]],
    ['however it is spelled', { outside: 'ON' }, [['outside', 'OUTSIDE', true]]],
    ['none for what is turned off', { camera: false }, []],
    ['none for the default of a consent', { camera: null }, []],
    ['one for another value', { program: 'builtin' }, [['program', 'SHOW', 'builtin']]],
    ['one for a default that is another value', { program: null }, [['program', 'SHOW', 'builtin']]],
    ['none for the default in force', { zoom: null }, []],
    ['none for a value that is refused', { zoom: 99, program: 'nonsense', outside: 'perhaps' }, []],
    [
      'every one of several',
      { outside: true, program: 'builtin', zoom: '2' },
      [
        ['outside', 'OUTSIDE', true],
        ['program', 'SHOW', 'builtin'],
        ['zoom', 'SHOW', 2],
      ],
    ],
  ])('%s', (_, patch, expected) => {
    const found = operationsOf(patch, values, settings);
    expect(found.map(({ setting, operation, to }) => [setting.key, operation, to])).toEqual(expected);
  });

  it('compares with the default where no value is known', () => {
    expect(operationsOf({ program: 'builtin' }, {}, settings)).toEqual([]);
    expect(operationsOf({ program: 'other' }, {}, settings)).toHaveLength(1);
  });

  it('takes no inherited name for a key', () => {
    expect(operationsOf({ ['__proto__']: { outside: true } }, values, settings)).toEqual([]);
  });

  it('are of the settings of this panel', () => {
    expect(protectedSettings.map(({ key }) => key)).toEqual([
      'ha_url',
      'entity_surface',
      'dashboard_package',
      'camera_enabled',
      'microphone_access',
    ]);
    expect(operationsOf({ dashboard_package: 'firefox' }, { dashboard_package: 'builtin' })).toMatchObject([
      { operation: 'DISPLAY_CONFIGURATION', isConsent: false, to: 'firefox' },
    ]);
  });
});

describe('the changes of a save that lack an approval', () => {
  it.each<
    [string, Readonly<Record<string, string | number | boolean | null>>, Parameters<typeof unapproved>[2], string[]]
  >([
    ['a consent, without one', { outside: true }, { admitted: 'all' }, ['outside']],
    ['a consent, with that of another', { outside: true }, { consent: 'CAMERA', admitted: 'all' }, ['outside']],
    ['a consent, admitted but not approved', { outside: true }, { admitted: ['OUTSIDE'] }, ['outside']],
    ['a consent, with its own', { outside: true }, { consent: 'OUTSIDE', admitted: [] }, []],
    ['a consent that is turned off', { camera: false }, { admitted: [] }, []],
    ['a consent back to its default', { camera: null }, { admitted: [] }, []],
    ['a consent that is on', { camera: true }, { admitted: [] }, []],
    ['a protected one, in Hardened mode', { program: 'builtin' }, { admitted: [] }, ['program']],
    ['a protected one, admitted', { program: 'builtin' }, { admitted: ['SHOW'] }, []],
    ['a protected one, where all is open', { program: 'builtin' }, { admitted: 'all' }, []],
    ['a protected one, unchanged', { program: 'other', zoom: null }, { admitted: [] }, []],
    ['one of several', { program: null, outside: true }, { admitted: ['SHOW'] }, ['outside']],
    ['one without a name here', { nonsense: true }, { admitted: [] }, []],
  ])('%s', (_, changes, approved, expected) => {
    expect(unapproved(values, changes, approved, rowOf).map(([key]) => key)).toEqual(expected);
  });

  it('each have a sentence that names the setting and what to do', () => {
    const [[, words] = []] = unapproved(values, { outside: true }, { admitted: 'all' }, rowOf);
    expect(words).toMatch(/^Outside: .*outside.*approve it at the panel\.$/);
  });
});
