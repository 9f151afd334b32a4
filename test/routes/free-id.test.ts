import { expect, test } from 'vitest';

import { isIdFree } from '#routes/kit/free-id.ts';

test.each<[string, Readonly<Record<string, unknown>>, boolean]>([
  ['nothing was set', {}, true],
  ['it was made from the name', { friendly_name: 'Küche links', panel_id: 'kuche_links' }, true],
  ['only a name was given', { friendly_name: 'Hall', panel_id: '' }, true],
  ['somebody chose another one', { friendly_name: 'Hall', panel_id: 'upstairs' }, false],
  ['a broker was entered', { friendly_name: 'Hall', panel_id: 'hall', mqtt_broker: 'mqtt://192.168.1.10' }, false],
])('whether the id may follow a new name where %s', (_, values, expected) => expect(isIdFree(values)).toBe(expected));
