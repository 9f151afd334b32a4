import { describe, expect, it } from 'vitest';

import { followSleep } from '#machines/auto-sleep/follow.ts';
import { playedEvening } from '#machines/simulator/played-evening.ts';

const evenings = Array.from({ length: 20 }, (_, index) => playedEvening(index + 1, followSleep));

describe('an evening as a panel decides', () => {
  it('has 480 minutes, and is determined by its seed', () => {
    expect(playedEvening(3, followSleep)).toEqual(evenings[2]);
    for (const frames of evenings) expect(frames.map(({ minute }) => minute)).toEqual([...Array(480).keys()]);
  });

  it('is dark only after the room was empty for ten minutes, or after a hand', () => {
    for (const frames of evenings)
      for (const { minute, isLit, reason } of frames) {
        if (isLit || reason === 'manual_suppression') continue;
        const before = frames.slice(Math.max(0, minute - 9), minute + 1);
        expect(before.some(({ isSeen }) => isSeen)).toBe(false);
      }
  });

  it('comes on only while a person is there', () => {
    for (const frames of evenings)
      for (const { minute, isLit, isSeen, isPresent } of frames)
        if (isLit && frames[minute - 1]?.isLit === false) expect(isSeen || isPresent).toBe(true);
  });

  it('goes dark and comes back on most evenings', () => {
    const woken = evenings.filter((frames) =>
      frames.some(({ isLit, isSeen }, index) => isLit && isSeen && frames[index - 1]?.isLit === false),
    );
    expect(woken.length).toBeGreaterThan(10);
  });
});
