import { describe, expect, it } from 'vitest';

import { questionText, SHOWN_CHARACTERS } from '#machines/kit/shown-text.ts';

describe('text of a question at the panel', () => {
  it.each<[string, string, string]>([
    ['plain text', 'http://192.0.2.7/a.mp3', 'http://192.0.2.7/a.mp3'],
    ['letters of any script', 'Küche, 厨房, مطبخ 🔔', 'Küche, 厨房, مطبخ 🔔'],
    ['a line break', 'a\nb\r\u2028c', String.raw`a\u{a}b\u{d}\u{2028}c`],
    ['an escape sequence', '\u001b[31m', String.raw`\u{1b}[31m`],
    ['a C1 control', '\u009b', String.raw`\u{9b}`],
    ['a change of direction', 'a\u202ecba\u2066\u200f', String.raw`a\u{202e}cba\u{2066}\u{200f}`],
    ['what has no width', '\u200b\u200d\ufeff\u2060\u00ad', String.raw`\u{200b}\u{200d}\u{feff}\u{2060}\u{ad}`],
    ['what is drawn as nothing', '\u3164\u115f\ufe0f', String.raw`\u{3164}\u{115f}\u{fe0f}`],
    ['beyond the first plane', '\u{e0041}', String.raw`\u{e0041}`],
    ['half a character', 'a\ud800b', String.raw`a\u{d800}b`],
    ['what would end its quotation', '”a“ „b‟', '"a" "b"'],
    ['nothing', '', ''],
  ])('%s', (_, text, shown) => {
    expect(questionText(text)).toBe(shown);
  });

  it.each<[string, string, number]>([
    ['that fits', 'a'.repeat(SHOWN_CHARACTERS), SHOWN_CHARACTERS],
    ['that is too long', 'a'.repeat(SHOWN_CHARACTERS + 1), SHOWN_CHARACTERS],
    ['of characters of two units', '🔔'.repeat(400), SHOWN_CHARACTERS],
    ['that is too long only once it is spelled out', '\u200b'.repeat(100), SHOWN_CHARACTERS],
    ['of a megabyte', '\u202e'.repeat(1_000_000), SHOWN_CHARACTERS],
  ])('is cut, and says so: one %s', (_, text, length) => {
    const shown = Array.from(questionText(text));
    expect(shown).toHaveLength(length);
    expect(shown.at(-1) === '…').toBe(questionText(text) !== text);
    expect(shown.join('').isWellFormed()).toBe(true);
  });
});
