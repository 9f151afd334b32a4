import { expect, it } from 'vitest';

import { addressWords } from '#machines/announcer/address-words.ts';
import { findUrl } from '#machines/announcer/find-url.ts';
import { questionText } from '#machines/kit/shown-text.ts';

const label = 'a'.repeat(50);

it.each<[string, string, string]>([
  ['a plain address', 'http://ha.example:8123/a.mp3?b=c#d', 'http://ha.example:8123/a.mp3?b=c#d'],
  [
    'one that begins with the name of another host',
    `http://ha.example:8123%2F${label.repeat(4)}@x.example/a.mp3`,
    'http://x.example/a.mp3',
  ],
  ['a user with a password', 'http://ha.example:8123@x.example/a.mp3', 'http://x.example/a.mp3'],
  [
    'a long host',
    `http://ha.example.${label}.${label}.${label}.x.example:81/a`,
    `http://…${`.${label}.${label}.x.example:81`.slice(-60)}/a`,
  ],
  ['look-alike letters', 'http://hа.example/', 'http://xn--h-8sb.example/'],
  ['quotation marks and a change of direction', 'http://x.example/”\u202e', 'http://x.example/%E2%80%9D%E2%80%AE'],
])('shows whose it is: %s', (_, body, words) => {
  expect(questionText(addressWords(findUrl(body) ?? ''))).toBe(words);
});
