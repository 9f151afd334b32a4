import { expect, it, vi } from 'vitest';

import { once } from '#machines/kit/once.ts';

it('makes a value when it is first asked for, and only then', () => {
  const make = vi.fn(() => ({}));
  const value = once(make);
  expect(make).not.toHaveBeenCalled();
  expect(value()).toBe(value());
  expect(make).toHaveBeenCalledTimes(1);
});

it('keeps undefined as well', () => {
  const make = vi.fn(() => undefined);
  const value = once(make);
  value();
  value();
  expect(make).toHaveBeenCalledTimes(1);
});
