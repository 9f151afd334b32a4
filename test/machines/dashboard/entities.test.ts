import { describe, expect, it } from 'vitest';
import { rows } from '#machines/dashboard/entities.ts';

const [home] = rows;

describe('the home dashboard as an entity', () => {
  it.each([
    ['no path', 'The path must not hold spaces or backslashes; write a space as %20.'],
    ['http://other.invalid/', /^The path must be a path on Home Assistant, .* and the host\.$/],
  ])('refuses %j in a whole sentence', (text, sentence) => {
    const written = home?.entityKind === 'text' ? home.write(text, 'home-assistant') : undefined;
    expect(written).toMatchObject({
      ok: false,
      message: typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
    });
  });
});
