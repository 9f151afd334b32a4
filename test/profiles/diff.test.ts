import { describe, expect, it } from 'vitest';

import { diffProfiles } from '#profiles/diff.ts';

describe('the difference of two profiles', () => {
  it.each([
    ['equal ones', { a: 1, b: ['x'] }, { b: ['x'], a: 1 }, []],
    ['a changed value', { a: { b: 1 } }, { a: { b: 2 } }, [{ path: 'a.b', before: '1', after: '2' }]],
    ['what is new', null, { a: true }, [{ path: 'a', before: null, after: 'true' }]],
    ['what is gone', { a: 'x' }, null, [{ path: 'a', before: 'x', after: null }]],
    [
      'a list of plain values as one',
      { a: ['x', 'y'] },
      { a: ['y', 'x'] },
      [{ path: 'a', before: 'x, y', after: 'y, x' }],
    ],
    [
      'a list of maps one by one',
      { a: [{ b: 1 }] },
      { a: [{ b: 1 }, { b: 2 }] },
      [{ path: 'a[1].b', before: null, after: '2' }],
    ],
  ])('%s', (_what, before, after, difference) => {
    expect(diffProfiles(before, after)).toEqual(difference);
  });

  it('is bounded in number and length', () => {
    const after = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`k${at}`, 'x'.repeat(500)]));
    const difference = diffProfiles({}, after);
    expect(difference).toHaveLength(200);
    expect(Math.max(...difference.map((one) => one.after?.length ?? 0))).toBe(120);
  });
});
