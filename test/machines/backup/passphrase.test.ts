import { describe, expect, it } from 'vitest';

import { judgePassphrase } from '#machines/backup/passphrase.ts';

describe('a passphrase', () => {
  it.each([
    ['ten characters', '0123456789'],
    ['128 of them', 'x'.repeat(128)],
    ['spaces inside', 'correct horse battery'],
    ['characters of two units each', '\u{1F511}'.repeat(10)],
  ])('may have %s', (_, text) => {
    expect(judgePassphrase(text)).toEqual({ ok: true, value: text });
  });

  it('is the same from every keyboard', () => {
    const composed = 'b\u00E4tterie und pferd';
    expect(judgePassphrase(composed.normalize('NFD'))).toEqual({ ok: true, value: composed });
  });

  it.each([
    ['is empty', '', /10 to 128/],
    ['is too short', '012345678', /10 to 128/],
    ['is too short once its accents are joined', 'a\u0308'.repeat(9), /10 to 128/],
    ['is too short in characters of two units', '\u{1F511}'.repeat(9), /10 to 128/],
    ['is too long', 'x'.repeat(129), /10 to 128/],
    ['begins with a space', ' 0123456789', /space/],
    ['ends with a line', '0123456789\n', /space/],
    ['ends with a space of another kind', '0123456789\u00A0', /space/],
    ['has half a character', '0123456789\ud83d', /broken/],
  ])('is refused if it %s', (_, text, why) => {
    expect(judgePassphrase(text)).toEqual({
      ok: false,
      reason: 'invalid-passphrase',
      message: expect.stringMatching(why) as unknown,
    });
  });
});
