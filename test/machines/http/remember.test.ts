import { describe, expect, it } from 'vitest';

import { remembering } from '#machines/http/remember.ts';

function counted(limit: number) {
  const asked: string[] = [];
  const decide = remembering(limit, (text) => {
    asked.push(text);
    return text === 'unknown' ? null : text.length;
  });
  return { asked, decide };
}

describe('remembering', () => {
  it('decides once for each text, also where the answer is null', () => {
    const { asked, decide } = counted(4);
    expect(['a', 'unknown', 'a', 'unknown', 'bb'].map(decide)).toEqual([1, null, 1, null, 2]);
    expect(asked).toEqual(['a', 'unknown', 'bb']);
  });

  it('starts anew when it is full, and stays right', () => {
    const { asked, decide } = counted(2);
    expect(['a', 'bb', 'ccc', 'a'].map(decide)).toEqual([1, 2, 3, 1]);
    expect(asked).toEqual(['a', 'bb', 'ccc', 'a']);
    decide('ccc');
    expect(asked).toHaveLength(4);
  });

  it('keeps no text above 300 characters', () => {
    const { asked, decide } = counted(2);
    const long = 'x'.repeat(301);
    expect([long, long].map(decide)).toEqual([301, 301]);
    expect(asked).toHaveLength(2);
  });
});
