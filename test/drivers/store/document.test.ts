import { expect, it } from 'vitest';

import { withSections } from '#drivers/store/document.ts';

it('is replaced section by section', () => {
  const before = { version: 1 as const, sections: { a: 1, b: 2 }, later: true };
  expect(withSections(before, { b: null, c: 3 })).toEqual({ version: 1, sections: { a: 1, c: 3 }, later: true });
  expect(before.sections).toEqual({ a: 1, b: 2 });
  expect(Object.keys(withSections(before, JSON.parse('{"__proto__":1}')).sections)).toContain('__proto__');
});
