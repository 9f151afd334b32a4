import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { entityRows } from '#machines/entities.ts';
import { needOfChange } from '#machines/kit/change-need.ts';
import { operationOf, operations } from '#machines/operations.ts';
import { descriptors } from '#machines/settings.ts';
import { describeSetting } from '#machines/settings/registry.ts';

describe('an operation', () => {
  it('has a title in the imperative, sentence case, without a full stop', () => {
    for (const { title } of Object.values(operations)) expect(title).toMatch(/^[A-Z][^.]*[^.\s]$/);
  });

  it('is declared if an entity names it', () => {
    const named = entityRows.flatMap((row) =>
      'protects' in row && typeof row.protects === 'string' ? [[row.key, row.protects] as const] : [],
    );
    expect(named).toEqual([
      ['reboot', 'DEVICE_REBOOT'],
      ['reload', 'DASHBOARD_RELOAD'],
    ]);
    for (const [, name] of named) expect(operationOf(name)).toBeDefined();
    // A function hides its names: only the rows of settings have one, whose names are looked at below.
    const decided = entityRows.filter((row) => 'protects' in row && typeof row.protects === 'function');
    expect(decided.filter(({ actor }) => actor !== 'settings')).toEqual([]);
  });

  it('is asked by each entity that takes commands, or each says that it is open', () => {
    const commandable = entityRows.filter((row) => 'write' in row);
    expect(commandable.length).toBeGreaterThan(10);
    for (const row of commandable) expect([row.key, 'protects' in row]).toEqual([row.key, true]);
  });

  it('is declared, in the right mode, if a setting names it', () => {
    const named = descriptors.flatMap(({ key, consent, protects }) => [
      ...(consent === null ? [] : [[key, consent, 'every'] as const]),
      ...(protects === null ? [] : [[key, protects.operation, 'hardened'] as const]),
    ]);
    expect(named).toEqual([
      ['ha_url', 'DISPLAY_CONFIGURATION', 'hardened'],
      ['entity_surface', 'TRANSPORT_RELEASE', 'hardened'],
      ['dashboard_package', 'DISPLAY_CONFIGURATION', 'hardened'],
      ['camera_enabled', 'CAMERA_ENABLE', 'every'],
      ['microphone_access', 'MICROPHONE_ACCESS', 'every'],
    ]);
    for (const [key, name, mode] of named) expect([key, operationOf(name)?.in]).toEqual([key, mode]);
  });

  it('is no name that every object has', () => {
    for (const name of ['constructor', '__proto__', 'toString', '']) expect(operationOf(name)).toBeUndefined();
  });
});

describe('a change of a setting', () => {
  const consent = { consent: 'A', protects: null };
  const every = { consent: null, protects: { operation: 'B' } };
  const some = { consent: null, protects: { operation: 'B', when: (_: unknown, to: unknown) => to === 'foreign' } };
  const both = { consent: 'A', protects: { operation: 'B' } };

  it.each([
    ['to what it is already', both, true, true, null],
    ['that turns on what needs a consent', consent, false, true, { operation: 'A', isConsent: true }],
    ['that turns it off', consent, true, false, null],
    ['of a protected one', every, 'a', 'b', { operation: 'B', isConsent: false }],
    ['to a value that is protected', some, 'own', 'foreign', { operation: 'B', isConsent: false }],
    ['to a value that is not', some, 'foreign', 'own', null],
    ['that turns on what is both', both, false, true, { operation: 'A', isConsent: true }],
    ['that turns off what is both', both, true, false, { operation: 'B', isConsent: false }],
    ['of an open one', { consent: null, protects: null }, 1, 2, null],
  ])('%s', (_, setting, before, after, need) => expect(needOfChange(setting, before, after)).toEqual(need));
});

describe('a setting describes itself wrongly', () => {
  const meta = { title: 'A', help: 'A.', group: 'system', tier: 'basic', scope: 'device' };

  it.each([
    [
      'with a consent but on by default',
      z
        .boolean()
        .default(true)
        .meta({ ...meta, consent: 'A' }),
    ],
    [
      'with a consent but no boolean',
      z
        .string()
        .default('')
        .meta({ ...meta, consent: 'A' }),
    ],
    [
      'protected but a secret',
      z
        .string()
        .default('')
        .meta({ ...meta, secret: true, protects: { operation: 'A' } }),
    ],
    [
      'protected but a reading',
      z
        .number()
        .nullable()
        .default(null)
        .meta({ ...meta, readOnly: true, protects: { operation: 'A' } }),
    ],
  ])('%s', (_, field) => expect(() => describeSetting('a', field)).toThrow(TypeError));
});
