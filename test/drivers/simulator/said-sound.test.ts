import { describe, expect, it } from 'vitest';

import { LONGEST_SAID_S, SAID_BYTES_PER_S, SaidSound } from '#drivers/simulator/said-sound.ts';

function said() {
  let now = 0;
  return { sound: new SaidSound(() => now), pass: (ms: number) => void (now += ms) };
}
const bytes = (length: number, value: number): Buffer => Buffer.alloc(length, value);

describe('what is said to the simulated microphone', () => {
  it('is heard once, in order, in whole samples', () => {
    const { sound } = said();
    sound.add(bytes(5, 1));
    sound.add(bytes(4, 2));
    expect([...sound.take(3)]).toEqual([1, 1]);
    expect([...sound.take(640)]).toEqual([1, 1, 2, 2, 2, 2]);
    expect(sound.take(640)).toHaveLength(0);
  });

  it('is forgotten 10 s after its end if it was not heard', () => {
    const { sound, pass } = said();
    sound.add(bytes(SAID_BYTES_PER_S, 1));
    pass(11_000);
    expect(sound.take(2)).toHaveLength(2);
    pass(1);
    expect(sound.take(2)).toHaveLength(0);
  });

  it('is a minute at most, of which the oldest goes first', () => {
    const { sound } = said();
    const most = LONGEST_SAID_S * SAID_BYTES_PER_S;
    sound.add(bytes(4, 1));
    sound.add(bytes(most, 2));
    const heard = sound.take(most * 2);
    expect([heard.length, heard[0]]).toEqual([most, 2]);
  });
});
