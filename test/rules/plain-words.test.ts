import { describe, expect, it } from 'vitest';

import { echoedNames, strangeWords } from './plain-words.mjs';

describe('words with a plainer one', () => {
  const bad: readonly (readonly [what: string, file: string, text: string, found: readonly string[]])[] = [
    ['in a line comment', 'a.ts', 'const a = 1;\n// Nobody reads it.', ['2: nobody (no one, or the part by its name)']],
    ['in a doc comment', 'a.tsx', '/** Hears of the end. */\nconst a = 1;', ['1: hears (is called with, or receives)']],
    ['in the middle of a long one', 'a.mjs', '/**\n * It is read anew.\n */', ['2: anew (again)']],
    ['of several words', 'a.ts', '// It goes  before others.', ['1: goes before (takes precedence over)']],
    ['in prose', 'README.md', 'What it\n\nwants to know.', ['3: wants to know (needs)']],
  ];
  it.each(bad)('%s', (_, file, text, found) => expect(strangeWords(file, text)).toEqual(found));

  const good: readonly (readonly [what: string, file: string, text: string])[] = [
    ['in a text that is shown', 'a.ts', "const a = 'Nobody is signed in.';"],
    ['inside another word', 'a.ts', '// newt, renew, canewood'],
    ['in code', 'a.ts', 'const anew = nobody + hears;'],
  ];
  it.each(good)('leaves one %s', (_, file, text) => expect(strangeWords(file, text)).toEqual([]));
});

describe('doc comments that repeat a name', () => {
  it.each([
    ['of a field', '  /** The camera. */\n  readonly camera: Camera;', ['1: camera']],
    ['of a type', '/** One relay id. */\nexport type RelayId = string;', ['1: RelayId']],
    ['of a function', '/** Reads the settings. */\nexport function readSettings() {}', ['1: readSettings']],
  ])('%s', (_, text, found) => expect(echoedNames(text)).toEqual(found));

  it.each([
    ['that adds a unit', '/** The length, in ms. */\nreadonly length: number;'],
    ['that adds a word', '/** The newest camera. */\nreadonly camera: Camera;'],
    ['of more than four words', '/** The camera of the camera camera. */\nreadonly camera: Camera;'],
    ['on a line of its own block', '/**\n * The camera.\n */\nreadonly camera: Camera;'],
  ])('leaves one %s', (_, text) => expect(echoedNames(text)).toEqual([]));
});
