import { describe, expect, it } from 'vitest';

import { fadeTime } from '#machines/screen/fade.ts';
import {
  isGoingDark,
  isOverruled,
  isRoomLevelDue,
  roomLevelAfterReading,
  roomWant,
  toRoomLevel,
} from '#machines/screen/room-level.ts';

const idle = { lit: true, wanted: null, fault: null, changed: null, roomLevel: 30 };
const byRequest = { by: 'http', at: 1 };

describe('the level that the room asks for', () => {
  it.each([
    ['a lit display', idle, true],
    ['nothing is asked for', { ...idle, roomLevel: null }, false],
    ['a dark display', { ...idle, lit: false }, false],
    ['an unknown one', { ...idle, lit: null }, false],
    ['one that is going dark', { ...idle, wanted: false }, false],
    ['one that is being lit and was lit before', { ...idle, wanted: true }, true],
    ['one that was to go dark and still gives light', { ...idle, fault: 'still-lit', changed: byRequest }, false],
    [
      'that one after another program lit it',
      { ...idle, fault: 'still-lit', changed: { by: 'elsewhere', at: 1 } },
      true,
    ],
    ['another fault', { ...idle, fault: 'no-answer', changed: byRequest }, true],
  ])('%s: written is %s', (_, now, due) => expect(isRoomLevelDue(now)).toBe(due));

  it.each([
    ['nothing is asked for', { ...idle, roomLevel: null }, false, {}],
    ['dark: ON restores it', { ...idle, lit: false }, false, { lastBrightness: 30 }],
    ['going dark: ON restores it', { ...idle, wanted: false }, true, { lastBrightness: 30 }],
    ['lit while a write is under way: it waits', { ...idle, wanted: true }, true, {}],
    ['lit without a request: it is dropped', idle, false, { roomLevel: null }],
  ])('after a reading, %s', (_, now, isWriting, changes) =>
    expect(roomLevelAfterReading(now, isWriting)).toEqual(changes),
  );

  it('goes dark by a pending write, and by one that shows no effect yet', () => {
    expect(isGoingDark({ ...idle, wanted: false })).toBe(true);
    expect(isGoingDark({ ...idle, fault: 'still-lit', changed: byRequest })).toBe(true);
    expect(isGoingDark(idle)).toBe(false);
  });

  const want = { origin: 'http' };
  const writing = (brightness?: number) => ({ want: { ...want, ...(brightness === undefined ? {} : { brightness }) } });
  it.each([
    ['a level that is being written', true, writing(90), null, true],
    ['a level that waits', true, null, { ...want, brightness: 90 }, true],
    ['a level behind a write for the room', true, { want: roomWant(20) }, { ...want, brightness: 90 }, true],
    ['a level before a bare ON', true, writing(90), { ...want, on: true }, true],
    ['a bare ON', true, writing(), { ...want, on: true }, false],
    ['a level before OFF', false, writing(90), { ...want, on: false }, false],
    ['a write for the room', null, { want: roomWant(20) }, null, false],
    ['nothing', null, null, null, false],
  ])('%s overrules it: %s', (_, wanted, write, next, overruled) =>
    expect(isOverruled(wanted, write, next)).toBe(overruled),
  );

  it.each([
    [-3, 1],
    [0.4, 1],
    [77.5, 78],
    [1000, 255],
  ])('%d is held at %i', (asked, held) => expect(toRoomLevel(asked)).toBe(held));
});

describe('the time of a fade', () => {
  it.each([
    ['nothing to do', 100, 100, 255, 0],
    ['the deadband', 100, 104, 255, 0],
    ['just noticed', 100, 106, 255, 47],
    ['a tenth brighter', 100, 200, 1000, 200],
    ['a tenth darker', 200, 100, 1000, 600],
    ['half the range brighter', 0, 500, 1000, 1000],
    ['all of it brighter', 1, 1000, 1000, 1000],
    ['all of it darker', 1000, 1, 1000, 3000],
    ['a display with a single value', 1, 1, 1, 0],
  ])('%s', (_, from, to, rawMax, ms) => expect(fadeTime(from, to, rawMax)).toBe(ms));
});
