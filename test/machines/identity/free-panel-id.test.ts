import { describe, expect, it } from 'vitest';

import { freePanelId } from '#machines/identity/free-panel-id.ts';

describe('a free panel id', () => {
  const long = 'x'.repeat(63);
  it.each<[readonly string[], string, string]>([
    [[], 'Kitchen', 'kitchen'],
    [['bath'], 'kitchen', 'kitchen'],
    [['kitchen'], 'Kitchen', 'kitchen_2'],
    [['kitchen', 'kitchen_2', 'kitchen_4'], 'kitchen', 'kitchen_3'],
    [[long], long, `${'x'.repeat(61)}_2`],
    [[], '!', 'panel'],
  ])('beside %j for %s is %s', (taken, wished, free) => {
    expect(freePanelId(taken, wished)).toBe(free);
  });
});
