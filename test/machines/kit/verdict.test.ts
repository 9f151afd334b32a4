import { expect, it } from 'vitest';

import { checking, isUnprobed, needsYou, type Verdict, verdictOf, working } from '#machines/kit/verdict.ts';

it.each<[string, Verdict, boolean]>([
  ['before its first probe', checking, true],
  ['that is being set up', verdictOf('checking', 'signing-in', 'It signs in.'), true],
  [
    'that waits for something that passes',
    verdictOf('checking', 'platform-away', 'It waits.', 'Home Assistant.'),
    false,
  ],
  ['that works', working('proved', 'It works.'), false],
  ['that needs a person', needsYou('absent', 'It is not there.', 'A camera.'), false],
])('a capability %s is unprobed: %s', (_, verdict, unprobed) => {
  expect(isUnprobed(verdict)).toBe(unprobed);
});
