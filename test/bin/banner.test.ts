import { renderUnicodeCompact } from 'uqr';
import { describe, expect, it } from 'vitest';

import { banner } from '#bin/banner.ts';

const origin = 'http://192.168.1.40:8888/';
const sentence = 'This panel is working.';

describe('the banner of a terminal', () => {
  it.each([
    [true, `${origin}setup`, 'Scan to set up this panel'],
    [false, origin, sentence],
  ])('where a set-up is due (%s): the code of %s, and %s', (needsSetup, url, words) => {
    const text = banner(origin, needsSetup, sentence);
    expect(text).toContain(renderUnicodeCompact(url, { border: 1 }));
    expect(text.trimEnd().split('\n').slice(-2)).toEqual([`  ${url}`, `  ${words}`]);
  });
});
