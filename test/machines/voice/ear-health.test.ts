import { describe, expect, it } from 'vitest';

import { type Heard, judgeCheck, judgeHealth } from '#machines/voice/ear-health.ts';

const heard: Heard = { bytesPerSecond: 32_000, clippedShare: 0, flatSeconds: 0, isMuted: false };

describe('the health of an open microphone', () => {
  it.each<[Partial<Heard>, string]>([
    [{}, 'ok'],
    [{ bytesPerSecond: 31_000 }, 'ok'],
    [{ bytesPerSecond: 24_000 }, 'ok'],
    [{ bytesPerSecond: 23_999 }, 'stalled'],
    [{ bytesPerSecond: 0, isMuted: true, flatSeconds: 0 }, 'stalled'],
    // Its buffer still has sound.
    [{ isMuted: true }, 'ok'],
    [{ isMuted: true, flatSeconds: 1 }, 'muted'],
    [{ isMuted: true, flatSeconds: 9 }, 'muted'],
    [{ flatSeconds: 4 }, 'ok'],
    [{ flatSeconds: 5 }, 'silent'],
    // A constant at the limit is a dead source, not a loud one.
    [{ flatSeconds: 5, clippedShare: 1 }, 'silent'],
    [{ clippedShare: 0.01 }, 'ok'],
    [{ clippedShare: 0.011 }, 'clipping'],
  ])('with %o is %s', (part, expected) => expect(judgeHealth({ ...heard, ...part })).toBe(expected));
});

describe('the health of a check', () => {
  it.each<[Partial<Heard>, string]>([
    [{}, 'ok'],
    [{ flatSeconds: 1 }, 'silent'],
    [{ flatSeconds: 1, isMuted: true }, 'muted'],
    [{ clippedShare: 0.5 }, 'clipping'],
    [{ bytesPerSecond: 1000 }, 'stalled'],
  ])('with %o is %s', (part, expected) => expect(judgeCheck({ ...heard, ...part })).toBe(expected));
});
