import { describe, expect, it } from 'vitest';

import { countKeyboards, isKeyboard, judgeKeyboard } from '#machines/input/keyboard.ts';
import type { Keyboards } from '#machines/input/events.ts';
import { checking, type Verdict, working } from '#machines/kit/verdict.ts';

describe('a keyboard', () => {
  it.each<[string, number, boolean]>([
    ['all letters', 26, true],
    ['all but one', 25, false],
    ['a few, as a box of buttons', 4, false],
    ['none, as a power button or a remote', 0, false],
  ])('is a device with all letters: %s', (_, letters, is) => expect(isKeyboard(letters)).toBe(is));

  it('is counted per device: letters of several do not add up', () => {
    expect(countKeyboards([])).toBe(0);
    expect(countKeyboards([13, 13])).toBe(0);
    expect(countKeyboards([26, 4, 26])).toBe(2);
  });

  const read = working('input-read', 'Listening.');
  it.each<[string, Verdict, Keyboards, Verdict['state'], string]>([
    ['a connected one', read, { connected: 1, onScreen: false }, 'working', 'keyboard-connected'],
    ['one on the screen', read, { connected: 0, onScreen: true }, 'working', 'keyboard-on-screen'],
    ['none', read, { connected: 0, onScreen: false }, 'not_here', 'no-keyboard'],
    ['none yet', checking, { connected: 0, onScreen: false }, 'checking', checking.reason],
  ])('is judged: %s', (_, verdict, keyboards, state, reason) => {
    expect(judgeKeyboard({ verdict, keyboards })).toMatchObject({ state, reason });
  });
});
