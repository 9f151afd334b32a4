import { expect, it } from 'vitest';

import { sectionWords } from '#machines/kit/section-words.ts';
import { fileSections } from '#machines/stored-sections.ts';

it('says what sections keep, each kind once and none by its key', () => {
  expect(sectionWords(['panel_2'])).toBe('the level of the screen');
  expect(sectionWords(['relay1', 'history', 'relay3'])).toBe('the state of the relays and the history');
  expect(sectionWords(['history', 'panel', 'panel_4', 'relay2'])).toBe(
    'the history, the level of the screen and the state of the relays',
  );
  expect(sectionWords(['of_tomorrow'])).toBe('a record of this panel');
});

it('has words for every section with a file', () => {
  expect(fileSections.length).toBeGreaterThan(0);
  expect(fileSections.filter((section) => sectionWords([section]) === sectionWords(['of_tomorrow']))).toEqual([]);
});
