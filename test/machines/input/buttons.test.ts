import { describe, expect, it } from 'vitest';

import { afterChange, afterSettled, dueIn, noButtons } from '#machines/input/buttons.ts';
import type { Buttons } from '#machines/input/events.ts';

/** `down 100`, `up 180`, `still 900`: what one button does, and when; a word before it names another button. */
const play = (script: string, longMs = 800, doubleMs = 400, from: Buttons = noButtons): Buttons =>
  script
    .split(',')
    .map((step) => step.trim().split(' '))
    .reduce((buttons, words) => {
      const at = Number(words.at(-1));
      const what = words.at(-2);
      const name = words.length === 3 ? String(words[0]) : 'left';
      return what === 'still'
        ? afterSettled(buttons, at)
        : afterChange(buttons, { name, down: what === 'down', at, longMs, doubleMs });
    }, from);
const told = ({ occurrences: happened }: Buttons): string =>
  happened.map(({ button, event, at }) => `${button === 'left' ? '' : `${button} `}${event}@${at}`).join(' ');

describe('a button', () => {
  it.each<[string, string, string]>([
    ['pressed and let go', 'down 100, up 180', 'press@100 release@180'],
    ['held', 'down 100, still 900, up 1000', 'press@100 long_press@900 release@1000'],
    ['held, told late: the kernel’s stamps count', 'down 100, up 1000', 'press@100 long_press@1000 release@1000'],
    ['let go in time although the question came late', 'down 100, up 180, still 5000', 'press@100 release@180'],
    ['held, asked too early', 'down 100, still 899', 'press@100'],
    ['held, asked twice', 'down 100, still 900, still 1900, up 2000', 'press@100 long_press@900 release@2000'],
    [
      'pressed twice',
      'down 100, up 180, down 300, up 380',
      'press@100 release@180 press@300 double_press@300 release@380',
    ],
    ['pressed twice, slowly', 'down 100, up 180, down 501, up 580', 'press@100 release@180 press@501 release@580'],
    [
      'pressed three times: the third begins anew',
      'down 100, up 150, down 200, up 250, down 300, up 350',
      'press@100 release@150 press@200 double_press@200 release@250 press@300 release@350',
    ],
    [
      'pressed four times: two doubles',
      'down 0, up 1, down 100, up 101, down 200, up 201, down 300, up 301',
      'press@0 release@1 press@100 double_press@100 release@101 press@200 release@201 press@300 double_press@300 release@301',
    ],
    [
      'pressed after a long press',
      'down 100, still 900, up 901, down 910, up 920',
      'press@100 long_press@900 release@901 press@910 release@920',
    ],
    ['repeating by itself', 'down 100, down 350, down 383, up 400', 'press@100 release@400'],
    ['up twice', 'down 100, up 180, up 190', 'press@100 release@180'],
    ['down before anybody listened', 'up 180', 'release@180'],
    ['on a clock that is set back', 'down 5000, still 100, up 120', 'press@5000 release@120'],
    [
      'on a clock that is set back between two presses',
      'down 5000, up 5100, down 100, up 200',
      'press@5000 release@5100 press@100 release@200',
    ],
    [
      'beside another one',
      'down 100, right down 150, up 180, right still 950, right up 960',
      'press@100 right press@150 release@180 right long_press@950 right release@960',
    ],
  ])('%s', (_, script, expected) => expect(told(play(script))).toBe(expected));

  it('without a long and a double press knows press and release', () => {
    expect(told(play('down 0, up 1, down 2, still 9000, up 9001', 0, 0))).toBe(
      'press@0 release@1 press@2 release@9001',
    );
  });

  it('counts what it did, for ever upwards, and keeps the newest sixteen', () => {
    const buttons = play(
      Array.from({ length: 30 }, (_, index) => `down ${index * 1000}, up ${index * 1000 + 10}`).join(','),
    );
    expect(buttons.sequence).toBe(60);
    expect(buttons.occurrences.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 16 }, (_, index) => 45 + index),
    );
  });

  it('that chatters is told forty times in a second, and counted', () => {
    const buttons = play(
      Array.from({ length: 200 }, (_, index) => `${index % 2 === 0 ? 'down' : 'up'} ${index}`).join(','),
      800,
      0,
    );
    expect(buttons).toMatchObject({ sequence: 40, dropped: 160 });
    expect(play('down 1500, up 1501', 800, 0, buttons)).toMatchObject({ sequence: 42, dropped: 160 });
  });

  it.each<[string, string, number, number | null]>([
    ['nothing is down', 'down 100, up 180', 200, null],
    ['one is down', 'down 100', 100, 800],
    ['time has passed', 'down 100', 300, 600],
    ['it is overdue', 'down 100', 5000, 1],
    ['the clock was set back', 'down 5000', 100, 800],
    ['it was told already', 'down 100, still 900', 950, null],
    ['two are down', 'down 100, right down 400', 400, 500],
  ])('is asked about when it may have become long: %s', (_, script, at, expected) =>
    expect(dueIn(play(script), at)).toBe(expected),
  );
});
