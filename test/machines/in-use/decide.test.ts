import { describe, expect, it } from 'vitest';

import type { Place } from '#machines/approvals/events.ts';
import {
  indicationFor,
  isScreenless,
  judge,
  type LedFacts,
  overall,
  overdue,
  type Surroundings,
  type Wanted,
  wantedFor,
} from '#machines/in-use/decide.ts';

const screen: Place = { kind: 'screen' };
const simulator: Place = { kind: 'simulator' };
const headless: Place = { kind: 'none', reason: 'headless' };
const idle: LedFacts = { shown: false, failed: false };
const held: LedFacts = { shown: true, failed: false };
const failed: LedFacts = { shown: false, failed: true };

type Row = readonly [place: Place, lit: boolean, led: LedFacts | null, marked: boolean];
const facts = ([place, lit, led, marked]: Row): Surroundings & { readonly marked: boolean } => ({
  place,
  lit,
  led,
  marked,
});
const shown = (by: 'overlay' | 'led') => ({ is: 'shown', by });
const refused = (reason: string) => ({ is: 'refused', reason });
const open = { is: 'open' };

describe('how the room is shown that something is in use', () => {
  it.each<[string, Row, object, object, string]>([
    ['a lit screen gets the mark', [screen, true, null, false], { by: 'overlay' }, open, 'unconfirmed'],
    [
      'which is shown once it is in a picture',
      [screen, true, idle, true],
      { by: 'overlay' },
      shown('overlay'),
      'unconfirmed',
    ],
    ['the LED is not enough on a lit screen', [screen, true, held, false], { by: 'overlay' }, open, 'unconfirmed'],
    ['a dark screen has the LED', [screen, false, idle, true], { by: 'led' }, open, 'led-failed'],
    ['which is shown once it was read back', [screen, false, held, false], { by: 'led' }, shown('led'), 'led-failed'],
    ['an LED that refuses is none', [screen, false, failed, true], { by: 'led' }, refused('led-failed'), 'led-failed'],
    [
      'a dark screen without one',
      [screen, false, null, true],
      { refusal: 'dark-without-led' },
      refused('dark-without-led'),
      'dark-without-led',
    ],
    ['a simulated panel draws it', [simulator, true, null, false], { by: 'drawn' }, shown('overlay'), 'unconfirmed'],
    ['and has an LED in the dark', [simulator, false, idle, false], { by: 'led' }, open, 'led-failed'],
    ['no kiosk screen, no use', [headless, true, held, true], { refusal: 'headless' }, refused('headless'), 'headless'],
    ['not by an LED either', [headless, false, held, true], { refusal: 'headless' }, refused('headless'), 'headless'],
  ])('%s', (_, row, indication, verdict, late) => {
    expect(indicationFor(facts(row))).toEqual(indication);
    expect(judge(facts(row))).toEqual(verdict);
    expect(overdue(facts(row))).toBe(late);
  });

  const none: Wanted = { mark: [], led: false };
  const mark: Wanted = { mark: ['camera'], led: false };
  const led: Wanted = { mark: [], led: true };
  const both: Wanted = { mark: ['camera'], led: true };
  it.each<[string, Row, Wanted, Wanted]>([
    ['the mark from the start', [screen, true, idle, false], none, mark],
    ['the LED from the start', [screen, false, idle, false], none, led],
    ['both until the LED is shown', [screen, false, idle, true], mark, both],
    ['the LED alone then', [screen, false, held, true], both, led],
    ['both until the mark is shown', [screen, true, held, false], led, both],
    ['the mark alone then', [screen, true, held, true], both, mark],
    ['nothing where the page draws it', [simulator, true, idle, false], none, none],
    ['what there was, where nothing can be shown', [screen, false, null, true], mark, mark],
    ['also if the browser is gone', [headless, true, held, false], both, both],
  ])('wants %s', (_, row, before, wanted) => {
    const surroundings = { ...facts(row), marked: row[3] ? (['camera'] as const) : [] };
    expect(wantedFor(surroundings, ['camera'], before)).toEqual(wanted);
    expect(wantedFor(surroundings, [], before)).toEqual(none);
  });

  it('wants the mark of both, and the LED until both are seen', () => {
    const surroundings = { ...facts([screen, true, held, true]), marked: ['camera'] as const };
    expect(wantedFor(surroundings, ['camera', 'microphone'], both)).toEqual({
      mark: ['camera', 'microphone'],
      led: true,
    });
    const gone = { ...facts([headless, true, null, false]), marked: [] };
    expect(wantedFor(gone, ['microphone'], both)).toEqual({ mark: ['microphone'], led: true });
  });

  it('is one word for all: shown only if all are', () => {
    const is = (by: 'none' | 'overlay' | 'led', refusal: 'headless' | null = null) => ({ shown: by, refusal });
    expect(overall([], { camera: is('none'), microphone: is('none') })).toEqual(is('none'));
    expect(overall(['microphone'], { camera: is('none'), microphone: is('led') })).toEqual(is('led'));
    expect(overall(['camera', 'microphone'], { camera: is('overlay'), microphone: is('none') })).toEqual(is('none'));
    expect(overall(['camera', 'microphone'], { camera: is('overlay'), microphone: is('none', 'headless') })).toEqual(
      is('none', 'headless'),
    );
  });

  it.each<[Parameters<typeof isScreenless>[0], boolean]>([
    ['headless', true],
    ['no-renderer', true],
    ['no-browser', false],
    ['foreign-browser', false],
    ['android', false],
    ['starting', false],
    ['dark-without-led', false],
    ['led-failed', false],
    ['unconfirmed', false],
  ])('%s is no screen at all: %s', (reason, isNone) => {
    expect(isScreenless(reason)).toBe(isNone);
  });
});
