import { describe, expect, it } from 'vitest';

import type { Place } from '#machines/approvals/events.ts';
import { indicationFor, judge, type LedFacts, overdue, type Surroundings, wantedFor } from '#machines/in-use/decide.ts';

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

  const none = { mark: false, led: false };
  const mark = { mark: true, led: false };
  const led = { mark: false, led: true };
  const both = { mark: true, led: true };
  it.each<[string, Row, typeof none, typeof none]>([
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
    expect(wantedFor(facts(row), before)).toEqual(wanted);
  });
});
