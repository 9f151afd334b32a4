import { describe, expect, it } from 'vitest';

import { factWords, humanLine } from '#drivers/log/human-line.ts';

/** What a terminal obeys, hides or turns around: C0, DEL, C1, bidi, separators, half a character. */
const acting = /[\p{C}\p{Zl}\p{Zp}]/u;

describe('the facts of a line', () => {
  it.each<[string, unknown, string]>([
    ['a word', 'ECONNRESET', 'name=ECONNRESET'],
    ['words', 'two words', 'name="two words"'],
    ['a word of another script', 'Küche', 'name=Küche'],
    ['a number', 5, 'name=5'],
    ['nothing', '', 'name=""'],
    ['an escape', '\u001b[2J', String.raw`name="\u001b[2J"`],
    ['a bell', 'a\u0007', String.raw`name="a\u0007"`],
    ['a C1 escape', '\u009b31m', String.raw`name="\u009b31m"`],
    ['a turned text', 'abc\u202etxt.exe', String.raw`name="abc\u202etxt.exe"`],
    ['a new line', 'one\ntwo', String.raw`name="one\ntwo"`],
    ['a separator of lines', 'one\u2028two', String.raw`name="one\u2028two"`],
    ['a delete', 'a\u007f', String.raw`name="a\u007f"`],
    ['half a character', 'a\ud800', String.raw`name="a\ud800"`],
    ['a list with an escape', ['a\u009b'], String.raw`name=["a\u009b"]`],
    ['an object with an escape', { 'k\u202e': 1 }, String.raw`name={"k\u202e":1}`],
  ])('hold %s', (_, value, expected) => expect(factWords({ name: value })).toBe(expected));

  it('have names that act on nothing either', () => {
    expect(factWords({ 'a\u001b]0;x\u0007': 1 })).toBe(String.raw`a\u001b]0;x\u0007=1`);
  });

  it('have names that every object has', () => {
    expect(factWords(JSON.parse('{"__proto__":"a","constructor":"b"}') as Record<string, unknown>)).toBe(
      '__proto__=a constructor=b',
    );
  });
});

describe('a line for a person', () => {
  it('acts on no terminal and stays one line, whatever stands in it', () => {
    const bad = '\u001b[2J\u009b\u202e\u2028\n\r\u0007\u007f';
    const line = humanLine(JSON.stringify({ level: bad, time: 0, part: bad, msg: bad, fact: bad, [bad]: bad }));
    expect(line.slice(0, -1)).not.toMatch(acting);
    expect(line.endsWith('\n')).toBe(true);
  });

  it('of what is no JSON is its text', () => {
    expect(humanLine('plain\n')).toBe('plain\n');
    expect(humanLine('\u001b[2Jplain\n')).toBe('\\u001b[2Jplain\n');
  });

  it('has a sign for its level, and none for a name that every object has', () => {
    expect(humanLine(JSON.stringify({ level: 'warn', msg: 'words' }))).toMatch(/ ! words\n$/);
    expect(humanLine(JSON.stringify({ level: 'constructor', msg: 'words' }))).toMatch(/\d {3}words\n$/);
  });
});
