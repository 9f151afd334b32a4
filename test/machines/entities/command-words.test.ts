import { describe, expect, it } from 'vitest';

import type { CommandValue } from '#machines/entities/command.ts';
import { commandText, commandWords } from '#machines/entities/command-words.ts';

describe('the words of a command', () => {
  it.each<[string, { name: string; unit?: string }, CommandValue, string]>([
    ['a button has only its name', { name: 'Reboot' }, null, 'Reboot'],
    ['a switch turned on', { name: 'Relay 1' }, true, 'Relay 1: on'],
    ['a switch turned off', { name: 'Relay 1' }, false, 'Relay 1: off'],
    ['a number with its unit', { name: 'Volume', unit: '%' }, 40, 'Volume: 40 %'],
    ['a number without one', { name: 'Level' }, 0, 'Level: 0'],
    ['a text', { name: 'Navigate' }, '/hall', 'Navigate: /hall'],
    ['an empty text', { name: 'Navigate' }, '', 'Navigate: '],
    ['a light turned off', { name: 'Screen' }, { on: false }, 'Screen: off'],
    [
      'a light with everything',
      { name: 'LED' },
      { on: true, brightness: 7, rgb: { red: 1, green: 2, blue: 3 }, effect: 'blink' },
      'LED: on, brightness 7, colour 1, 2, 3, blink',
    ],
  ])('%s', (_, row, value, words) => expect(commandWords(row, value)).toBe(words));

  it('are cut between characters', () => {
    const words = commandWords({ name: 'A' }, '💡'.repeat(255));
    expect(Array.from(words)).toHaveLength(180);
    expect(words.isWellFormed()).toBe(true);
    expect(words.endsWith('💡…')).toBe(true);
  });

  it('spell out what the screen does not show', () => {
    expect(commandWords({ name: 'Navigate' }, 'a\u202eb\nc')).toBe(String.raw`Navigate: a\u{202e}b\u{a}c`);
  });
});

describe('a command as text', () => {
  it('is the same whichever way the parts of a light were sent', () => {
    const one = { on: true, rgb: { red: 1, green: 2, blue: 3 } };
    const other = { rgb: { blue: 3, green: 2, red: 1 }, on: true };
    expect(commandText('led', one)).toBe(commandText('led', other));
  });

  it('differs for every other command', () => {
    const texts = [
      commandText('a', null),
      commandText('a', true),
      commandText('a', 'true'),
      commandText('a', 1),
      commandText('a', '1'),
      commandText('b', 1),
      commandText('a', { on: true }),
      commandText('a', { on: false }),
      commandText('a', { brightness: 1 }),
      commandText('a', { effect: 'x' }),
      commandText('a","b', 1),
    ];
    expect(new Set(texts).size).toBe(texts.length);
  });
});
