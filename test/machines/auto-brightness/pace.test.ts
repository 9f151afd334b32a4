import { expect, it } from 'vitest';
import { isFar, writeIn } from '#machines/auto-brightness/pace.ts';

const rising = { from: 100, to: 120 };
const falling = { from: 140, to: 120 };

it.each([
  ['the first step', 120, 124, null, true],
  ['less than the deadband', 120, 123, null, false],
  ['on in the same direction', 120, 124, rising, true],
  ['back by a twelfth', 120, 110, rising, true],
  ['back by less', 120, 111, rising, false],
  ['up again by a twelfth', 120, 130, falling, true],
  ['up again by less', 120, 129, falling, false],
  ['back on a dark screen', 20, 16, { from: 12, to: 20 }, true],
  ['back after a hand', 90, 86, rising, true],
] as const)('%s', (_, current, target, last, far) => {
  expect(isFar(current, target, last)).toBe(far);
});

it.each([
  ['that took its level has none to come', 'backlight', true, 60, 60_000, null],
  ['that did not take it waits for a minute', 'backlight', true, 255, 59_999, null],
  ['is then given it again', 'backlight', true, 255, 60_000, 0],
  ['that is nearly there is not', 'backlight', true, 63, 60_000, null],
  ['that is dark is not', 'backlight', false, 255, 60_000, null],
  ['of a slow route is not', 'ddc', true, 255, 60_000, null],
] as const)('a display %s', (_, route, lit, level, elapsed, wait) => {
  const told = { level: 60, writtenAt: 0 };
  expect(writeIn({ route, lit, level }, told, { level: 60, isForced: false, elapsed })).toBe(wait);
});
