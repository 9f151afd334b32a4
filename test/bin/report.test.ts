import { describe, expect, it } from 'vitest';

import { plainLines } from '#bin/report.ts';

describe('what is printed of what an agent says', () => {
  it.each([
    ['plain text stays', 'Screen\n\n  + working   21 °C, “ok” …', ['Screen', '', '  + working   21 °C, “ok” …']],
    ['colours and moves of the cursor go', '\u001B[31mred\u001B[0m\u001B[2J\u001B[1;1Hhome', ['redhome']],
    ['a title for the window goes', 'a\u001B]0;owned\u0007b', ['ab']],
    ['eight-bit sequences go', 'a\u009B31mb', ['ab']],
    ['an escape without an end is none', 'a\u001B', ['a ']],
    ['nothing overwrites its own line', 'bad\rgood\b\u007F', ['bad good  ']],
    ['nothing is reordered or hidden', 'a\u202Eb\u200Bc\u2028d', ['a b c d']],
    ['lines of Windows are lines', 'a\r\nb', ['a', 'b']],
  ])('%s', (_, text, expected) => expect(plainLines(text)).toEqual(expected));

  it('is bounded, and says that there was more', () => {
    const [line = ''] = plainLines('x'.repeat(5_000_000));
    expect(line).toMatch(/^x{2000} …$/);
    const lines = plainLines('x\n'.repeat(100_000));
    expect(lines).toHaveLength(1_001);
    expect(lines.at(-1)).toBe('…');
  });
});
