import { describe, expect, it } from 'vitest';

import { grabOn, nextGrab, STUCK_MS } from '#drivers/input/grab.ts';
import { heldOn } from '#drivers/input/held.ts';
import { buttonsOf, type ButtonOption, isNamed, watchButtons } from '#drivers/input/named-buttons.ts';
import type { NativeCalls } from '#drivers/kit/native.ts';

describe('what to do with a device', () => {
  it.each<[string, Parameters<typeof nextGrab>[0], ReturnType<typeof nextGrab>]>([
    [
      'is to take it while it is wanted and nobody touches it',
      { wanted: true, holds: false, held: false, unwantedForMs: 0 },
      'take',
    ],
    [
      'is to wait for the end of a touch that others saw begin',
      { wanted: true, holds: false, held: true, unwantedForMs: 0 },
      null,
    ],
    ['is nothing while it is held as wanted', { wanted: true, holds: true, held: true, unwantedForMs: 0 }, null],
    [
      'is to keep it until the touch that woke has ended',
      { wanted: false, holds: true, held: true, unwantedForMs: 500 },
      null,
    ],
    ['is to give it back then', { wanted: false, holds: true, held: false, unwantedForMs: 500 }, 'free'],
    [
      'is to give it back in the end although a finger never leaves',
      { wanted: false, holds: true, held: true, unwantedForMs: STUCK_MS },
      'free',
    ],
    [
      'is nothing when nothing is wanted and held',
      { wanted: false, holds: false, held: true, unwantedForMs: STUCK_MS },
      null,
    ],
  ])('%s', (_, now, expected) => expect(nextGrab(now)).toBe(expected));
});

function calls(answer: () => string | null) {
  const made: boolean[] = [];
  const native: NativeCalls = {
    openSocket: () => null,
    sendUnixDatagram: () => null,
    signalWhenReadable: () => null,
    inputState: () => null,
    ioctl: () => null,
    flock: () => null,
    grabInput: (_, on) => {
      made.push(on);
      return on ? answer() : null;
    },
  };
  return { made, native };
}

describe('the grab of a device', () => {
  it.each([
    ['EBUSY', 'busy'],
    ['ENOTTY', 'failed'],
  ])('that the kernel refuses with %s is said, and tried again', (code, refused) => {
    let answer: string | null = code;
    const { native } = calls(() => answer);
    const grab = grabOn({ fd: 3, held: () => false }, native);
    grab.adjust(true, () => {});
    expect([grab.holds(), grab.refused()]).toEqual([false, refused]);
    answer = null;
    grab.adjust(true, () => {});
    expect([grab.holds(), grab.refused()]).toEqual([true, null]);
  });

  it('is said to be impossible where there is no such call', () => {
    const grab = grabOn({ fd: 3, held: () => false }, null);
    grab.adjust(true, () => {});
    expect([grab.holds(), grab.refused()]).toEqual([false, 'unsupported']);
  });

  it('is given back at once when a touch began in the moment of taking', () => {
    const { native, made } = calls(() => null);
    let finger = false;
    const grab = grabOn({ fd: 3, held: () => finger }, native);
    grab.adjust(true, () => (finger = true));
    expect([grab.holds(), made]).toEqual([false, [true, false]]);
    finger = false;
    grab.adjust(true, () => {});
    expect(grab.holds()).toBe(true);
  });

  it('counts the time of a stuck finger from when it is no longer wanted', () => {
    const { native } = calls(() => null);
    let [now, finger] = [0, false];
    const grab = grabOn({ fd: 3, held: () => finger }, native, () => now);
    grab.adjust(true, () => {});
    finger = true;
    now = 50_000;
    grab.adjust(false, () => {});
    now += STUCK_MS - 1;
    grab.adjust(false, () => {});
    expect(grab.holds()).toBe(true);
    now += 1;
    grab.adjust(false, () => {});
    expect(grab.holds()).toBe(false);
  });
});

describe('what is down on a device', () => {
  const after = (...events: readonly (readonly [type: number, code: number, value: number])[]): boolean => {
    const held = heldOn();
    for (const [type, code, value] of events) held.take({ type, code, value });
    return held.any();
  };
  const [slot, finger] = [0x2f, 0x39];
  it.each<[string, readonly (readonly [number, number, number])[], boolean]>([
    ['nothing', [], false],
    ['a finger', [[3, finger, 7]], true],
    [
      'a finger that left',
      [
        [3, finger, 7],
        [3, finger, -1],
      ],
      false,
    ],
    [
      'the second of two fingers',
      [
        [3, finger, 7],
        [3, slot, 1],
        [3, finger, 8],
        [3, slot, 0],
        [3, finger, -1],
      ],
      true,
    ],
    [
      'two fingers that left',
      [
        [3, finger, 7],
        [3, slot, 1],
        [3, finger, 8],
        [3, finger, -1],
        [3, slot, 0],
        [3, finger, -1],
      ],
      false,
    ],
    [
      'nothing once the kernel says that no finger is left',
      [
        [3, finger, 7],
        [1, 0x14a, 1],
        [3, slot, 1],
        [3, finger, 8],
        [1, 0x14a, 0],
      ],
      false,
    ],
    ['a finger on a panel without slots', [[1, 0x14a, 1]], true],
    [
      'a key that repeats',
      [
        [1, 30, 1],
        [1, 30, 2],
      ],
      true,
    ],
    ['a closed switch, which is no touch', [[5, 5, 1]], false],
  ])('%s', (_, events, expected) => expect(after(...events)).toBe(expected));
});

describe('the name of a device', () => {
  it.each([
    ['gpio-keys', 'gpio-keys', true],
    ['GPIO-Keys', 'gpio-keys', true],
    ['gpio', 'gpio-keys', false],
    ['gpio*', 'gpio-keys', true],
    ['*keys', 'gpio-keys', true],
    ['*', '', true],
    ['g*o*s', 'gpio-keys', true],
    ['g*x*s', 'gpio-keys', false],
    ['ab*ba', 'aba', false],
    ['a*b*b', 'ab', false],
    ['gpio.keys', 'gpio-keys', false],
    [`${'*a'.repeat(39)}*b`, 'a'.repeat(128), false],
  ])('%s means %s: %s', (pattern, label, expected) => expect(isNamed(pattern, label)).toBe(expected));
});

describe('named buttons', () => {
  const option = (over: Partial<ButtonOption>): ButtonOption => ({
    name: 'left',
    device: 'keys',
    code: 59,
    kind: 'key',
    grab: false,
    longMs: 800,
    doubleMs: 400,
    ...over,
  });
  it('belong to a device by its name and by what it can do', () => {
    const none = { ev: 0n, key: 0n, abs: 0n, rel: 0n, sw: 0n };
    const all = [
      option({}),
      option({ name: 'dock', kind: 'switch', code: 5 }),
      option({ name: 'other', device: 'else' }),
      option({ name: 'away', code: 60 }),
    ];
    expect(
      buttonsOf(all, { label: 'Keys', abilities: { ...none, key: 1n << 59n, sw: 1n << 5n } }).map(({ name }) => name),
    ).toEqual(['left', 'dock']);
    // The same, and a letter: nothing of it.
    expect(
      buttonsOf(all, { label: 'Keys', abilities: { ...none, key: (1n << 59n) | (1n << 30n), sw: 1n << 5n } }),
    ).toEqual([]);
  });

  it('are down while they are on any device, and let go when that is gone', () => {
    const told: string[] = [];
    const left = option({});
    const watch = watchButtons(
      [left],
      ({ name, down, at, longMs }) => void told.push(`${name} ${down} ${at} ${longMs}`),
    );
    const [one, two] = [heldOn(), heldOn()];
    one.take({ type: 1, code: 59, value: 1 });
    watch.update('event1', [left], one, 1);
    two.take({ type: 1, code: 59, value: 1 });
    watch.update('event2', [left], two, 2);
    one.take({ type: 1, code: 59, value: 0 });
    watch.update('event1', [left], one, 3);
    watch.update('event2', [left], null, 4);
    expect(told).toEqual(['left true 1 800', 'left false 4 800']);
  });

  it('that were down or closed before anybody listened are no news, and a switch is never long', () => {
    const told: unknown[] = [];
    const dock = option({ name: 'dock', kind: 'switch', code: 5 });
    const watch = watchButtons([dock], (change) => void told.push(change));
    const held = heldOn();
    held.reset({ keys: [], switches: [5] });
    watch.begin('event1', [dock], held);
    watch.update('event1', [dock], held, 1);
    expect(told).toEqual([]);
    held.take({ type: 5, code: 5, value: 0 });
    watch.update('event1', [dock], held, 2);
    expect(told).toEqual([{ name: 'dock', down: false, at: 2, longMs: 0, doubleMs: 0 }]);
  });
});
