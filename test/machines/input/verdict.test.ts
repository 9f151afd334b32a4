import { describe, expect, it } from 'vitest';

import type { NamedButton } from '#machines/input/events.ts';
import { judgeButtons } from '#machines/input/verdict.ts';
import { working } from '#machines/kit/verdict.ts';

const own = working('input-read', 'Listening.');
const here: NamedButton = { name: 'left', here: true };
const away: NamedButton = { name: 'right', here: false };
const key: NamedButton = { name: 'spy', here: false, refused: 'typing-key' };
const device: NamedButton = { name: 'desk', here: false, refused: 'typing-device' };

describe('the verdict on the buttons of a profile', () => {
  it.each<[string, readonly NamedButton[], string, string]>([
    ['all are here', [here], 'buttons-read', 'Listening to left.'],
    ['one is here', [here, away], 'buttons-in-part', 'not connected: right.'],
    ['none is here', [away], 'no-button', 'None of the buttons'],
    ['one is on a key for typing', [here, key], 'buttons-read', 'Never read, since people type with that key: spy.'],
    ['one is on a keyboard', [here, device], 'buttons-read', 'Never read, since the device has letter keys: desk.'],
    ['all are refused', [key, device], 'buttons-on-keyboard', 'None of the buttons that the profile names is read.'],
    ['one is away and one refused', [away, key], 'no-button', 'Never read, since people type with that key: spy.'],
  ])('%s', (_, named, reason, words) => {
    const verdict = judgeButtons({ verdict: own, named });
    expect(verdict.reason).toBe(reason);
    expect(verdict.detail).toContain(words);
  });
});
