import { expect, it } from 'vitest';

import { lightInEntity } from '#machines/auto-brightness/light-in-entity.ts';

it.each<[string | null, string | null, number | string]>([
  ['12.5', 'lx', 12.5],
  ['1e3', 'lx', 1000],
  ['0', 'lx', 0],
  [null, 'lx', 'source-away'],
  ['unavailable', null, 'source-away'],
  ['unknown', 'lx', 'source-away'],
  ['12', '%', 'not-lux'],
  ['12', null, 'not-lux'],
  ['bright', 'lx', 'not-a-number'],
  ['', 'lx', 'not-a-number'],
  ['-1', 'lx', 0],
  ['250000', 'lx', 100_000],
  ['0x10', 'lx', 'not-a-number'],
  ['Infinity', 'lx', 'not-a-number'],
])('%s in %s is %s', (state, unit, light) => expect(lightInEntity({ state, unit })).toBe(light));
