import { describe, expect, it } from 'vitest';

import type { ObservedDisplay } from '#machines/input/events.ts';
import { grabsTouch, overdueDisplays, stuckAfter } from '#machines/input/grab.ts';

const display = (lit: boolean | null, wanted: boolean | null = null): ObservedDisplay => ({
  lit,
  wanted,
  changed: null,
});

describe('whether touches are kept from the page', () => {
  it.each<[string, Readonly<Record<string, ObservedDisplay>>, readonly string[], boolean]>([
    ['without a display', {}, [], false],
    ['while it is lit', { a: display(true) }, [], false],
    ['while it is dark', { a: display(false) }, [], true],
    ['while it is being switched off', { a: display(true, false) }, [], true],
    ['until the write that lights it is done', { a: display(false, true) }, [], true],
    ['while it is dimmed', { a: display(true, true) }, [], false],
    ['while nothing is known of it: lost, parked, away', { a: display(null) }, [], false],
    ['while one of two is dark', { a: display(true), b: display(false) }, [], true],
    ['while the only dark one will not be lit', { a: display(true), b: display(false) }, ['b'], false],
    ['while another one is dark beside it', { a: display(false), b: display(false) }, ['b'], true],
  ])('%s', (_, displays, stuck, expected) => expect(grabsTouch(displays, stuck)).toBe(expected));
});

describe('a display that will not be lit', () => {
  it.each<[string, readonly string[], ObservedDisplay | undefined, ObservedDisplay, readonly string[]]>([
    ['is one that stayed dark when it was switched on', [], display(false, true), display(false), ['a']],
    ['is named once', ['a'], display(false, true), display(false), ['a']],
    ['is none that is still being switched on', [], display(false), display(false, true), []],
    ['is none that was switched off', [], display(true, false), display(false), []],
    ['is none that somebody switched off while it was being lit', [], display(false, true), display(false, false), []],
    ['stays one while it is dark', ['a'], display(false), display(false), ['a']],
    ['is none any more once it gives light', ['a'], display(false), display(true), []],
    ['is none any more when it is lost', ['a'], display(false), display(null), []],
    ['is none any more when it is switched off anew', ['a'], display(false), display(false, false), []],
    ['is none that was dark from the beginning', [], undefined, display(false), []],
  ])('%s', (_, stuck, before, after, expected) => expect(stuckAfter(stuck, 'a', before, after)).toEqual(expected));

  it('is every one that is dark when the wait is over', () => {
    expect(
      overdueDisplays({
        a: display(false),
        b: display(true),
        c: display(false, true),
        d: display(true, false),
        e: display(null),
        f: display(false, false),
      }),
    ).toEqual(['a', 'c']);
  });
});
