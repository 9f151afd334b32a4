import { describe, expect, it } from 'vitest';

import { closestName } from '#machines/kit/closest-name.ts';

describe('the closest name', () => {
  it.each<[string, readonly string[], number, string | null]>([
    ['relai', ['relay', 'sound'], 1, 'relay'],
    // One swap of neighbours is one edit.
    ['rleay', ['relay'], 1, 'relay'],
    ['rely', ['relay'], 1, 'relay'],
    ['relayy', ['relay'], 1, 'relay'],
    ['relay', ['RELAY'], 0, 'RELAY'],
    ['rexxy', ['relay'], 1, null],
    ['rexxy', ['relay'], 2, 'relay'],
    ['ab', ['ax', 'xb'], 1, 'ax'],
    ['ab', ['xx', 'ab'], 2, 'ab'],
    ['', ['relay'], 4, null],
    ['relay', [], 9, null],
  ])('of %j among %j with %i edits is %j', (word, names, edits, closest) => {
    expect(closestName(word, names, () => edits)).toBe(closest);
  });

  it('allows each name its own number of edits', () => {
    expect(closestName('lug', ['log', 'lag_level'], (name) => (name.length > 3 ? 9 : 0))).toBe('lag_level');
  });
});
