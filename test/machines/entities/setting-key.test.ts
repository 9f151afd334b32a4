import { describe, expect, it } from 'vitest';

import { entityRows } from '#machines/entities.ts';
import { shapeOf } from '#machines/entities/shape.ts';
import { descriptorOf } from '#machines/settings.ts';
import { defaultConfiguration, mergeSettings } from '#machines/settings/merge.ts';

const row = entityRows.find(({ key }) => key === 'voice_assistant');

describe('an entity whose key is not its setting’s', () => {
  it('has its own key in Home Assistant, and that of the setting everywhere else', () => {
    expect(row).toMatchObject({ entityKind: 'switch', expose: 'voice_enabled', capability: 'microphone' });
    expect(row === undefined ? null : shapeOf(row)).toMatchObject({ key: 'voice_assistant', name: 'Voice assistant' });
    expect(entityRows.some(({ key }) => key === 'voice_enabled')).toBe(false);
    expect(descriptorOf('voice_assistant')).toBeUndefined();
  });

  it('is hidden until the flag of the setting shows it', () => {
    expect(defaultConfiguration.expose['voice_enabled']).toBe(false);
    expect(mergeSettings(defaultConfiguration, { ha_expose_voice_enabled: true })).toMatchObject({
      status: 'saved',
      changes: { expose: { voice_enabled: true } },
    });
    expect(mergeSettings(defaultConfiguration, { ha_expose_voice_assistant: true })).toMatchObject({
      status: 'refused',
    });
  });

  it('reads and writes the setting', () => {
    if (row?.entityKind !== 'switch') throw new Error('it is a switch');
    // The row is of the settings, whose snapshot this is.
    const read = row.read as (snapshot: object) => unknown;
    const write = row.write as (value: boolean) => unknown;
    expect(read({ value: 'ready', context: { values: { voice_enabled: true } } })).toBe(true);
    expect(write(false)).toMatchObject({
      value: { event: { type: 'settings.merge', patch: { voice_enabled: false } } },
    });
  });

  it('needs no person: the microphone is what a person allows', () => {
    expect([descriptorOf('voice_enabled')?.consent, descriptorOf('microphone_access')?.consent]).toEqual([
      null,
      'MICROPHONE_ACCESS',
    ]);
  });
});
