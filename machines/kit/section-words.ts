import { joinWords } from './join-words.ts';

/** What the sections with separate files keep, in the owner's words. */
const words: readonly (readonly [RegExp, string])[] = [
  [/^auto-brightness$/, 'the brightness that a person chose'],
  [/^auto-sleep$/, 'what was learned of pauses in the room'],
  [/^companion$/, 'who is paired with it'],
  [/^history$/, 'the history'],
  [/^led$/, 'the colour of the LED'],
  [/^maintenance$/, 'how the last operations ended'],
  [/^panel(_\d+)?$/, 'the level of the screen'],
  [/^relay\d+$/, 'the state of the relays'],
];

/** What these sections keep, each kind once, for a sentence: `the history and the level of the screen`. */
export function sectionWords(sections: readonly string[]): string {
  const of = (section: string): string =>
    words.find(([pattern]) => pattern.test(section))?.[1] ?? 'a record of this panel';
  return joinWords([...new Set(sections.map(of))]);
}
