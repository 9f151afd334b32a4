import { expect } from 'vitest';

import { amount } from './amount.ts';

const worst = ['__proto__', 'constructor', 'toString', '', 'x'.repeat(10_000), '\uD800'];

/** Names from outside that a plain object would mistake, that are none, too long, or half a character. */
export const foreignNames: readonly string[] = amount(worst, [
  ...worst,
  'prototype',
  'valueOf',
  'hasOwnProperty',
  '__defineGetter__',
  'a\uDC00b',
]);

/** A name as a test's title shows it. */
export const titleOf = (name: string): string =>
  name.length > 40 ? `${name.length} characters` : JSON.stringify(name);

const shared: readonly object[] = [Object.prototype, Array.prototype, Function.prototype, Map.prototype];
/** What all objects share, as one flat list of the very values. */
const look = (): readonly unknown[] =>
  shared.flatMap((one) => [
    Object.getPrototypeOf(one),
    ...Reflect.ownKeys(one).flatMap((key) => {
      const { value, get, set } = Reflect.getOwnPropertyDescriptor(one, key) ?? {};
      return [key, value, get, set];
    }),
  ]);

/** Remembers what all objects share; the function that is returned fails where it has changed since. */
export function watchPrototypes(): () => void {
  const before = look();
  return () => {
    const after = look();
    const changed = after.filter((value, index) => !Object.is(value, before[index])).map(String);
    expect([after.length, ...changed]).toEqual([before.length]);
  };
}
