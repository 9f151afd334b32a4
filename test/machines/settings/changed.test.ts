import { expect, it } from 'vitest';
import { descriptorOf } from '#machines/settings.ts';
import { isChanged } from '#machines/settings/changed.ts';

const none = { values: {}, secrets: {}, expose: {} };

it.each<[string, string, Parameters<typeof isChanged>[1], boolean]>([
  ['a value of its own', 'dashboard_zoom', { ...none, values: { dashboard_zoom: 120 } }, true],
  ['the default', 'dashboard_zoom', { ...none, values: { dashboard_zoom: 100 } }, false],
  ['nothing that is known', 'dashboard_zoom', none, false],
  ['a credential', 'mqtt_password', { ...none, secrets: { mqtt_password: true } }, true],
  [
    'no credential',
    'mqtt_password',
    { ...none, values: { mqtt_password: '' }, secrets: { mqtt_password: false } },
    false,
  ],
  ['an entity that was not shown at first', 'diag_cpu', { ...none, expose: { diag_cpu: true } }, true],
  ['an entity that was shown at first', 'volume', { ...none, expose: { volume: true } }, false],
  ['an entity that is hidden by the owner', 'volume', { ...none, expose: { volume: false } }, true],
])('%s: %s', (_, key, inForce, changed) => {
  const row = descriptorOf(key);
  expect(row && isChanged(row, inForce)).toBe(changed);
});
