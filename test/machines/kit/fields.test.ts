import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { reading, setting, textUpTo, wholeNumber } from '#machines/kit/fields.ts';
import type { SettingMeta } from '#machines/kit/setting.ts';

const about = {
  title: 'A',
  help: 'B.',
  group: 'system',
  tier: 'basic',
  scope: 'device',
} as const satisfies SettingMeta;

/** The same schemas, made step by step as the library's own documents do. */
const chained = {
  number: z.int().min(2).max(8),
  stepped: z.int().min(0).max(100).multipleOf(10),
  text: z.string().max(4).regex(/^a*$/),
};

const pairs = [
  ['a whole number', wholeNumber({ min: 2, max: 8 }), chained.number],
  ['one with a step', wholeNumber({ min: 0, max: 100, step: 10 }), chained.stepped],
  ['text', textUpTo(4, z.regex(/^a*$/)), chained.text],
] as const;

describe.each(pairs)('%s', (_, made, step) => {
  it('is described like a chain', () => expect(z.toJSONSchema(made)).toEqual(z.toJSONSchema(step)));

  it.each([1, 2, 8, 9, 5, 10, 2.5, 100, 110, '5', 'aaaa', 'aaaaa', 'b', null, undefined, Number.NaN])(
    'judges %s like a chain',
    (value) => {
      const [one, other] = [made.safeParse(value), step.safeParse(value)];
      expect(one.success).toBe(other.success);
      expect(one.error?.issues).toEqual(other.error?.issues);
    },
  );
});

it('has a default and what describes it', () => {
  const field = setting(textUpTo(4), 'aa', about);
  expect(field.parse(undefined)).toBe('aa');
  expect(field.meta()).toEqual(about);
});

it('is null for a reading that is not there', () => {
  const field = reading(wholeNumber({ min: 0, max: 9 }), about);
  expect(field.parse(undefined)).toBeNull();
  expect(field.meta()).toEqual({ ...about, readOnly: true, ha: 'reading' });
});
