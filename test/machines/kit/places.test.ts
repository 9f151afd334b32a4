import { describe, expect, it } from 'vitest';
import { inPlaces, PlaceError } from '#machines/kit/places.ts';

type Row = readonly [key: string, after: string | null];

const orderOf = (rows: readonly Row[]): readonly string[] =>
  inPlaces('thing', rows, ([key, after]) => ({ keys: key.split('+'), after })).map(([key]) => key);

describe('places among neighbours', () => {
  it.each<[string, readonly Row[], readonly string[]]>([
    ['nothing', [], []],
    [
      'an order against that of the list',
      [
        ['c', 'b'],
        ['b', 'a'],
        ['a', null],
      ],
      ['a', 'b', 'c'],
    ],
    [
      'two after the same one, what nothing follows first',
      [
        ['a', null],
        ['x', 'a'],
        ['y', 'a'],
        ['x2', 'x'],
      ],
      ['a', 'y', 'x', 'x2'],
    ],
    [
      'several that come first',
      [
        ['a', null],
        ['b', null],
        ['a2', 'a'],
      ],
      ['b', 'a', 'a2'],
    ],
    [
      'a neighbour of several names',
      [
        ['a+b', null],
        ['c', 'b'],
        ['d', 'a'],
      ],
      ['a+b', 'c', 'd'],
    ],
  ])('make %s', (_, rows, order) => expect(orderOf(rows)).toEqual(order));

  it.each<[string, readonly Row[], string]>([
    [
      'a neighbour that is not there',
      [
        ['a', null],
        ['b', 'z'],
      ],
      'the thing "b" stands after "z", which does not exist',
    ],
    [
      'a circle',
      [
        ['a', null],
        ['b', 'c'],
        ['c', 'b'],
      ],
      'in a circle: each thing stands after another one of "b", "c"',
    ],
    ['what stands after itself', [['a', 'a']], 'in a circle: each thing stands after another one of "a"'],
    [
      'two of one name',
      [
        ['a', null],
        ['a', null],
      ],
      'each thing has a key of its own, not "a" twice',
    ],
  ])('refuse %s', (_, rows, words) => {
    expect(() => orderOf(rows)).toThrow(PlaceError);
    expect(() => orderOf(rows)).toThrow(words);
  });
});
