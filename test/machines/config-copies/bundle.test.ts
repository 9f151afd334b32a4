import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { Bundle, bundleOf, presentValues, readBundle } from '#machines/config-copies/bundle.ts';
import { refusedImport } from '#machines/config-copies/judge-import.ts';
import { exportedValues, planImport } from '#machines/config-copies/values.ts';
import { defaultConfiguration } from '#machines/settings/merge.ts';
import { SETTINGS_SCHEMA } from '#machines/settings/schema.ts';
import { otherConfiguration } from '#test/fakes/other-values.ts';

const made = bundleOf({
  panelId: 'hall_panel',
  origin: ['a'.repeat(64)],
  values: exportedValues(otherConfiguration(), { secrets: true }),
  at: 1_767_225_600_000,
});

describe('a bundle', () => {
  it('is read as it was made', () => {
    expect(Bundle().parse(JSON.parse(JSON.stringify(made)))).toEqual(made);
    expect(readBundle(made)).toEqual({
      ok: true,
      value: { exportedBy: 'hall_panel', origin: made.origin, values: made.values },
    });
  });

  it.each<[string, unknown, string]>([
    ['nothing', null, 'bad-bundle'],
    ['a text', 'sconce-config', 'bad-bundle'],
    ['a list', [made], 'bad-bundle'],
    ['an empty object', {}, 'bad-bundle'],
    ['another kind', { ...made, kind: 'ha-paneld-config' }, 'wrong-kind-or-schema'],
    ['a newer schema', { ...made, schema: SETTINGS_SCHEMA + 1 }, 'wrong-kind-or-schema'],
    ['a schema of zero', { ...made, schema: 0 }, 'bad-bundle'],
    ['no values', { ...made, values: undefined }, 'bad-bundle'],
    ['a list of values', { ...made, values: ['x'] }, 'bad-bundle'],
    ['an origin that is none', { ...made, origin: ['x'] }, 'bad-bundle'],
    ['many origins', { ...made, origin: Array.from({ length: 65 }, () => 'a'.repeat(64)) }, 'bad-bundle'],
    [
      'many values',
      { ...made, values: Object.fromEntries(Array.from({ length: 1025 }, (_, index) => [`key_${index}`, ''])) },
      'bad-bundle',
    ],
  ])('that is %s is refused', (_, sent, reason) => {
    expect(readBundle(sent)).toEqual({ ok: false, reason, message: expect.stringMatching(/\.$/) });
  });

  it('is of another machine without an origin', () => {
    const { origin: _, ...without } = made;
    expect(readBundle(without)).toMatchObject({ ok: true, value: { origin: [] } });
  });

  it('keeps its credentials out of what an earlier schema is turned into', () => {
    expect(presentValues(made.values, SETTINGS_SCHEMA)).toEqual(made.values);
  });
});

const kept = new URL('bundles/', import.meta.url);

/** Bundles of earlier versions and of this one. They never change: a setting that is renamed needs a migration. */
describe.each(readdirSync(kept))('the bundle %s of a panel', (name) => {
  const json: unknown = JSON.parse(readFileSync(new URL(name, kept), 'utf8'));

  it('is taken whole by the machine that it is from', () => {
    const read = readBundle(json);
    if (!read.ok) throw new Error(read.message);
    const plan = planImport(defaultConfiguration, read.value.values, { mode: 'restore', isOrigin: true });
    expect([plan.rejected, plan.skipped, plan.errors]).toEqual([null, [], []]);
    expect(plan.changes.length).toBeGreaterThan(60);
    expect(refusedImport(plan, { strict: true, expectedCfg: null }, '00000000')).toBeNull();
  });
});

describe('an import', () => {
  const plan = (values: Readonly<Record<string, unknown>>) =>
    planImport(defaultConfiguration, values, { mode: 'restore', isOrigin: true });
  const refused = (values: Readonly<Record<string, unknown>>, strict = false, expectedCfg: string | null = null) =>
    refusedImport(plan(values), { strict, expectedCfg }, '1a2b3c4d');

  it.each<[string, ReturnType<typeof refused>, unknown]>([
    ['with a valid key is made', refused({ friendly_name: 'Hall' }), null],
    ['with nothing is made', refused({}), null],
    ['with an invalid key beside a valid one is made', refused({ friendly_name: 'Hall', dashboard_zoom: '7' }), null],
    [
      'with nothing but invalid keys is refused',
      refused({ dashboard_zoom: '7' }),
      { status: 'rejected', reasons: { dashboard_zoom: expect.any(String) } },
    ],
    [
      'that is strict takes no invalid key',
      refused({ friendly_name: 'Hall', dashboard_zoom: '7' }, true),
      { status: 'rejected', reasons: { dashboard_zoom: expect.any(String) } },
    ],
    [
      'that is strict takes no unknown key',
      refused({ friendly_name: 'Hall', lava_lamp: '7' }, true),
      { status: 'rejected', reasons: { lava_lamp: expect.any(String) } },
    ],
    ['that is strict may have keys that do not belong here', refused({ ha_oauth: 'x', proximity: '1' }, true), null],
    ['of the configuration that was looked at is made', refused({}, false, '1a2b3c4d'), null],
    [
      'of another configuration is refused',
      refused({}, false, '00000000'),
      { status: 'stale-preview', expectedCfg: '00000000', actualCfg: '1a2b3c4d' },
    ],
  ])('%s', (_, outcome, expected) => {
    if (expected === null) expect(outcome).toBeNull();
    else expect(outcome).toMatchObject(expected as object);
  });
});
