import { describe, expect, it } from 'vitest';

import { chooseEvicted, type Occupant } from '#drivers/http/eviction.ts';

/** A connection that tells whose it is. */
interface Named extends Occupant {
  readonly name: string;
}

let uses = 0;
/** The connections of a peer, an `i` for an idle one and an `a` for one in use; used in the order of their making. */
function peer(name: string, spelled: string): readonly Named[] {
  const owner = { connections: spelled.length };
  return Array.from(spelled, (one, index) => ({
    name: `${name}${index}`,
    peer: owner,
    responses: one === 'a' ? 1 : 0,
    used: (uses += 1),
  }));
}
const many = (count: number, spelled: string): readonly Named[] =>
  Array.from({ length: count }, (_, index) => peer(`many${index}-`, spelled)).flat();

describe('where all connections are taken', () => {
  it.each<[string, readonly Named[], number, string | undefined]>([
    ['the one idle longest of who has more than a share', [...peer('a', 'ii'), ...peer('b', 'iiii')], 1, 'b0'],
    [
      'of all with more than a share, not of who has most',
      [...peer('b', 'iii'), ...peer('c', 'iiii'), ...peer('a', 'i')],
      1,
      'b0',
    ],
    ['an idle one although one in use was used longer ago', [...peer('b', 'aaai'), ...peer('a', 'i')], 1, 'b3'],
    [
      'an idle one of who has few, where those with more have none',
      [...peer('b', 'aaaaaaaaaa'), ...peer('a', 'ai')],
      1,
      'a1',
    ],
    ['one of many addresses that have one each', many(5, 'i'), 1, 'many0-0'],
    ['one of them for the next of a browser that has some', many(5, 'i'), 6, 'many0-0'],
    ['none in use of a browser among many with a few', [...peer('b', 'aaaaaa'), ...many(50, 'aaaaa')], 1, undefined],
    ['one of the many before one in use of a browser', [...peer('b', 'aaaaaa'), ...many(50, 'aaaai')], 1, 'many0-4'],
    ['none in use of who has eight', peer('b', 'aaaaaaaa'), 1, undefined],
    ['one in use of who has nine', [...peer('a', 'aaaaaaaa'), ...peer('b', 'aaaaaaaaa')], 1, 'b0'],
    ['none in use of who would have no more than the newcomer', peer('b', 'aaaaaaaaa'), 9, undefined],
    [
      'none idle of who has fewer than the newcomer would have',
      [...peer('b', 'aaa'), ...peer('a', 'ii')],
      9,
      undefined,
    ],
    ['none where there are none', [], 1, undefined],
  ])('ends %s', (_, others, size, name) => expect(chooseEvicted(others, size)?.name).toBe(name));
});
