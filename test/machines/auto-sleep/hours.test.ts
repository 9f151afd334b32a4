import { describe, expect, it } from 'vitest';

import { hoursText, parsedHours } from '#machines/auto-sleep/hours-text.ts';
import { hoursClock } from '#machines/auto-sleep/hours.ts';
import { sunAt } from '#machines/kit/sun.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const utc = (text: string): number => Date.parse(`${text}Z`);
const placeIn = (timeZone: string, latitude = 52.5, longitude = 13.4) => ({ latitude, longitude, timeZone });

function read(text: string, sun = true) {
  const hours = parsedHours(text, { sun });
  if (!hours.ok) throw new Error(hours.message);
  return hours.value;
}

const clockOf = (text: string, zone: string) => hoursClock(read(text), placeIn(zone));

/** The changes from `start` on, as UTC, each with what is true from then on. */
function changes(text: string, zone: string, start: string, count: number): readonly string[] {
  const clock = clockOf(text, zone);
  let at = utc(start);
  return Array.from({ length: count }, () => {
    at = clock.at(at).changesAt ?? Number.NaN;
    return `${new Date(at).toISOString().slice(0, 16)} ${clock.at(at).isActive ? 'on' : 'off'}`;
  });
}

describe('hours as they are written', () => {
  it.each([
    ['', ''],
    ['  ', ''],
    ['22:30-06:30', '22:30-06:30'],
    ['7:05 - 8:00', '07:05-08:00'],
    ['22:30–06:30', '22:30-06:30'],
    ['00:00-24:00', '00:00-24:00'],
    ['mon-fri 22:30-06:30; sat,sun 00:00-08:00', 'mon-fri 22:30-06:30; sat,sun 00:00-08:00'],
    ['Mon - Fri 22:30-06:30;Sun , Sat 0:00-8:00', 'mon-fri 22:30-06:30; sat,sun 00:00-08:00'],
    ['fri-mon 22:00-23:00', 'mon,fri-sun 22:00-23:00'],
    ['mon,tue,wed 22:00-23:00', 'mon-wed 22:00-23:00'],
    ['mon-sun 22:00-23:00', '22:00-23:00'],
    ['sun 22:00-23:00', 'sun 22:00-23:00'],
    ['sun', 'sun'],
    [' SUN ', 'sun'],
    ['01:00-02:00;03:00-04:00;05:00-06:00;07:00-08:00', '01:00-02:00; 03:00-04:00; 05:00-06:00; 07:00-08:00'],
  ])('“%s” is %s', (text, canonical) => {
    expect(hoursText(read(text))).toBe(canonical);
    expect(hoursText(read(canonical))).toBe(canonical);
  });

  it.each([
    ['22:30-06:30; 25:00-08:00', 'The second range, at character 14: 25:00 is no time of day.'],
    ['22:30-6.30', 'The first range, at character 7: 6.30 is no time of day; write it like 06:30.'],
    ['22:60-06:30', 'The first range, at character 1: 22:60 is no time of day.'],
    ['2230-0630', 'The first range, at character 1: 2230 is no time of day; write it like 22:30.'],
    ['22:30', 'The first range, at its end: a hyphen and the end, such as -06:30, must follow 22:30.'],
    ['22:30-', 'The first range, at its end: a time such as 06:30 must follow -.'],
    ['22:30;', 'The first range, at character 6: a hyphen and the end, such as -06:30, must follow 22:30.'],
    ['22:30 06:30', 'The first range, at character 7: a hyphen and the end, such as -06:30, must follow 22:30.'],
    ['22:30-06:30;', 'The second range, at its end: a time such as 22:30 is missing.'],
    [';22:30-06:30', 'The first range, at character 1: a time such as 22:30 is missing.'],
    ['-06:30', 'The first range, at character 1: a time such as 22:30 is missing.'],
    [
      '22:30-06:30, 07:00-08:00',
      'The first range, at character 12: , cannot follow 06:30; ranges are separated by a semicolon.',
    ],
    [
      '22:30-06:30 mon',
      'The first range, at character 13: mon cannot follow 06:30; ranges are separated by a semicolon.',
    ],
    ['00:00-00:00', 'The first range, at character 7: it ends when it begins, at 00:00; a whole day is 00:00-24:00.'],
    ['24:00-06:00', 'The first range, at character 1: 24:00 can only be an end; a range that begins then has 00:00.'],
    ['22:00-24:01', 'The first range, at character 7: 24:01 is no time of day.'],
    [
      'monday 22:30-06:30',
      'The first range, at character 1: monday is no day; the days are mon, tue, wed, thu, fri, sat, sun.',
    ],
    ['mon-22:30', 'The first range, at character 5: a day must follow: one of mon, tue, wed, thu, fri, sat, sun.'],
    ['mon,', 'The first range, at its end: a day must follow: one of mon, tue, wed, thu, fri, sat, sun.'],
    ['mon', 'The first range, at its end: a time such as 22:30 must follow mon.'],
    ['1-2;'.repeat(9), 'The first range, at character 1: 1 is no time of day; write it like 22:30.'],
    ['1:00-2:00;3:00-4:00;5:00-6:00;7:00-8:00; 9:00-10:00', 'At character 42: there can be four ranges at most.'],
    [
      'x'.repeat(100),
      `The first range, at character 1: ${'x'.repeat(16)} is no day; the days are mon, tue, wed, thu, fri, sat, sun.`,
    ],
  ])('“%s” is refused', (text, message) => {
    expect(parsedHours(text, { sun: true })).toEqual({ ok: false, reason: 'hours', message });
  });

  it('are by the sun only where that is allowed', () => {
    expect(parsedHours('sun', { sun: false })).toMatchObject({
      message: 'The first range, at its end: a time such as 22:30 must follow sun.',
    });
    expect(read('sun', true)).toEqual({ kind: 'sun' });
  });
});

describe('ranges of the wall clock', () => {
  it.each<[string, string, string, boolean]>([
    ['22:30-06:30', 'Europe/Berlin', '2026-01-15T21:29', false],
    ['22:30-06:30', 'Europe/Berlin', '2026-01-15T21:30', true],
    ['22:30-06:30', 'Europe/Berlin', '2026-01-16T05:29', true],
    ['22:30-06:30', 'Europe/Berlin', '2026-01-16T05:30', false],
    ['00:00-24:00', 'Europe/Berlin', '2026-01-15T23:00', true],
    // The day is the one on which a range begins: 2026-01-16 is a Friday.
    ['fri 22:00-06:00', 'Etc/UTC', '2026-01-16T05:00', false],
    ['fri 22:00-06:00', 'Etc/UTC', '2026-01-16T22:00', true],
    ['fri 22:00-06:00', 'Etc/UTC', '2026-01-17T05:59', true],
    ['fri 22:00-06:00', 'Etc/UTC', '2026-01-17T22:00', false],
    ['sun 22:00-06:00', 'Etc/UTC', '2026-01-19T05:59', true],
    ['mon-fri 22:30-06:30; sat,sun 00:00-08:00', 'Etc/UTC', '2026-01-17T07:59', true],
    ['mon-fri 22:30-06:30; sat,sun 00:00-08:00', 'Etc/UTC', '2026-01-17T08:00', false],
    ['mon-fri 22:30-06:30; sat,sun 00:00-08:00', 'Etc/UTC', '2026-01-18T23:00', false],
    // Zones of half and three quarters of an hour.
    ['22:00-23:00', 'Asia/Kolkata', '2026-01-15T16:29', false],
    ['22:00-23:00', 'Asia/Kolkata', '2026-01-15T16:30', true],
    ['00:00-01:00', 'Asia/Kathmandu', '2026-01-15T18:15', true],
    ['00:00-01:00', 'Pacific/Kiritimati', '2026-01-15T10:00', true],
  ])('%s in %s at %s UTC: %s', (text, zone, at, isActive) => {
    expect(clockOf(text, zone).at(utc(at))).toMatchObject({ isActive, why: null });
  });

  it.each<[string, string, string, string, readonly string[]]>([
    [
      'over midnight',
      '22:30-06:30',
      'Europe/Berlin',
      '2026-01-15T12:00',
      ['2026-01-15T21:30 on', '2026-01-16T05:30 off', '2026-01-16T21:30 on'],
    ],
    [
      'that touch, as one',
      '22:00-24:00; 00:00-06:00',
      'Etc/UTC',
      '2026-01-15T12:00',
      ['2026-01-15T22:00 on', '2026-01-16T06:00 off'],
    ],
    [
      'that overlap, as one',
      '20:00-23:00; 22:00-02:00',
      'Etc/UTC',
      '2026-01-15T12:00',
      ['2026-01-15T20:00 on', '2026-01-16T02:00 off'],
    ],
    [
      'once a week',
      'thu 12:00-13:00',
      'Etc/UTC',
      '2026-01-15T13:00',
      ['2026-01-22T12:00 on', '2026-01-22T13:00 off', '2026-01-29T12:00 on'],
    ],
    // Berlin skips 02:00 to 03:00 on 2026-03-29, and repeats it on 2026-10-25; both at 01:00 UTC.
    [
      'through the hour that is skipped',
      '22:30-06:30',
      'Europe/Berlin',
      '2026-03-28T12:00',
      ['2026-03-28T21:30 on', '2026-03-29T04:30 off', '2026-03-29T20:30 on'],
    ],
    [
      'with a skipped beginning',
      '02:30-05:00',
      'Europe/Berlin',
      '2026-03-28T12:00',
      ['2026-03-29T01:00 on', '2026-03-29T03:00 off'],
    ],
    [
      'with a skipped end',
      '23:00-02:30',
      'Europe/Berlin',
      '2026-03-28T12:00',
      ['2026-03-28T22:00 on', '2026-03-29T01:00 off'],
    ],
    [
      'that are skipped as a whole',
      '02:10-02:50',
      'Europe/Berlin',
      '2026-03-28T12:00',
      ['2026-03-30T00:10 on', '2026-03-30T00:50 off'],
    ],
    [
      'in the hour that is repeated, once',
      '02:10-02:50',
      'Europe/Berlin',
      '2026-10-24T12:00',
      ['2026-10-25T00:10 on', '2026-10-25T00:50 off', '2026-10-26T01:10 on'],
    ],
    [
      'that end in it',
      '22:30-02:30',
      'Europe/Berlin',
      '2026-10-24T12:00',
      ['2026-10-24T20:30 on', '2026-10-25T00:30 off', '2026-10-25T21:30 on'],
    ],
    [
      'that begin in it',
      '02:30-06:30',
      'Europe/Berlin',
      '2026-10-24T12:00',
      ['2026-10-25T00:30 on', '2026-10-25T05:30 off'],
    ],
    ['through it', '22:30-06:30', 'Europe/Berlin', '2026-10-24T12:00', ['2026-10-24T20:30 on', '2026-10-25T05:30 off']],
    // Half an hour, 02:00 to 02:30, on 2026-10-04 at 15:30 UTC of the day before; back on 2026-04-05 at 15:00 UTC.
    [
      'in the half hour that Lord Howe skips',
      '02:15-04:00',
      'Australia/Lord_Howe',
      '2026-10-03T12:00',
      ['2026-10-03T15:30 on', '2026-10-03T17:00 off'],
    ],
    [
      'in the half hour that it repeats',
      '01:45-03:00',
      'Australia/Lord_Howe',
      '2026-04-04T12:00',
      ['2026-04-04T14:45 on', '2026-04-04T16:30 off'],
    ],
    // Cairo skips 00:00 to 01:00 on 2026-04-24, and repeats 23:00 to 24:00 on 2026-10-29.
    [
      'that begin at a midnight that is skipped',
      '00:00-06:00',
      'Africa/Cairo',
      '2026-04-23T12:00',
      ['2026-04-23T22:00 on', '2026-04-24T03:00 off'],
    ],
    [
      'that end at one',
      '22:00-24:00',
      'Africa/Cairo',
      '2026-04-23T12:00',
      ['2026-04-23T20:00 on', '2026-04-23T22:00 off'],
    ],
    [
      'in the hour before midnight that is repeated',
      '23:15-23:45',
      'Africa/Cairo',
      '2026-10-29T12:00',
      ['2026-10-29T20:15 on', '2026-10-29T20:45 off', '2026-10-30T21:15 on'],
    ],
    [
      'that begin at the midnight after it',
      'fri 00:00-06:00',
      'Africa/Cairo',
      '2026-10-29T12:00',
      ['2026-10-29T22:00 on', '2026-10-30T04:00 off'],
    ],
    // Havana repeats 00:00 to 01:00 on 2026-11-01 at 05:00 UTC: its clocks show 01:00 only once.
    [
      'in the hour after midnight that is repeated',
      'sun 00:00-01:00',
      'America/Havana',
      '2026-10-31T12:00',
      ['2026-11-01T04:00 on', '2026-11-01T06:00 off'],
    ],
    // Apia had no 2011-12-30, a Friday; its clocks went from 2011-12-29 24:00 to 2011-12-31 00:00 at 10:00 UTC.
    [
      'on a day that does not exist',
      'fri 08:00-09:00; thu 22:00-07:00',
      'Pacific/Apia',
      '2011-12-29T12:00',
      ['2011-12-30T08:00 on', '2011-12-30T10:00 off', '2012-01-05T08:00 on'],
    ],
  ])('%s: %s in %s', (_, text, zone, start, expected) => {
    expect(changes(text, zone, start, expected.length)).toEqual(expected);
  });

  it('never change if they cover everything', () => {
    const view = clockOf('00:00-24:00', 'Europe/Berlin').at(utc('2026-03-28T12:00'));
    expect(view).toEqual({ isActive: true, changesAt: null, why: null });
  });

  it('go by the system’s zone without a place', () => {
    const { at } = hoursClock(read('10:00-11:00'), null);
    expect(at(new Date(2026, 0, 15, 10, 30).getTime()).isActive).toBe(true);
    expect(at(new Date(2026, 0, 15, 11, 30).getTime()).isActive).toBe(false);
  });

  it('change when they say so, and not before, whatever the clock was set to', () => {
    const texts = [
      '22:30-06:30',
      'mon-fri 22:30-06:30; sat,sun 00:00-08:00',
      '01:30-02:30; 23:00-01:30',
      'wed 02:30-02:31',
    ];
    for (const zone of ['Europe/Berlin', 'Africa/Cairo', 'Australia/Lord_Howe', 'America/Havana', 'Asia/Kathmandu']) {
      for (const text of texts) {
        const clock = clockOf(text, zone);
        // Forward through half a year with both changes of summer time, and each time back again.
        for (let at = utc('2026-09-20T00:00'); at < utc('2027-04-20T00:00'); at += 7.3 * DAY) {
          const { isActive, changesAt } = clock.at(at);
          expect(changesAt).toBeGreaterThan(at);
          expect(changesAt).toBeLessThanOrEqual(at + 8 * DAY);
          const next = changesAt ?? 0;
          expect([clock.at(next - 1).isActive, clock.at(next).isActive]).toEqual([isActive, !isActive]);
          expect(clockOf(text, zone).at(next - 1)).toEqual({ isActive, changesAt, why: null });
        }
      }
    }
  });
});

describe('the sun', () => {
  const sun = (latitude: number, longitude: number) => hoursClock(read('sun'), placeIn('Etc/UTC', latitude, longitude));

  it.each<[string, number, number, string, boolean, string | null]>([
    // Sunset in Berlin on 2026-06-21 is at 19:33 UTC, sunrise at 02:43; on 2026-12-21 at 14:54 and 07:15.
    ['a summer day in Berlin', 52.52, 13.41, '2026-06-21T12:00', false, '2026-06-21T19:33'],
    ['a summer night there', 52.52, 13.41, '2026-06-21T22:00', true, '2026-06-22T02:43'],
    ['a winter day there', 52.52, 13.41, '2026-12-21T12:00', false, '2026-12-21T14:54'],
    ['the equator', 0, 0, '2026-03-20T12:00', false, '2026-03-20T18:11'],
    ['the polar day', 69.65, 18.96, '2026-06-21T00:00', false, null],
    ['the polar night', 69.65, 18.96, '2026-12-21T11:00', true, null],
    ['the south pole in its winter', -90, 0, '2026-06-21T12:00', true, null],
  ])('%s', (_, latitude, longitude, at, isActive, changesAt) => {
    const view = sun(latitude, longitude).at(utc(at));
    expect(view).toMatchObject({ isActive, why: null });
    if (changesAt === null) expect(view.changesAt).toBeNull();
    else expect(Math.abs((view.changesAt ?? 0) - utc(changesAt))).toBeLessThan(2 * MINUTE);
  });

  it('is down exactly from the change on', () => {
    const place = { latitude: 65, longitude: 25 };
    const clock = sun(place.latitude, place.longitude);
    for (let at = utc('2026-01-01T00:00'); at < utc('2027-01-01T00:00'); at += 11.7 * DAY) {
      const { isActive, changesAt } = clock.at(at);
      expect(isActive).toBe(sunAt(at, place).elevation < -0.833);
      if (changesAt === null) continue;
      expect(sunAt(changesAt, place).elevation < -0.833).toBe(!isActive);
      expect(sunAt(changesAt - 1, place).elevation < -0.833).toBe(isActive);
    }
  });

  it('is looked for again a day later at the latest', () => {
    const clock = sun(69.65, 18.96);
    // The first sunset after the polar day of Tromsø is in the last days of July.
    expect(clock.at(utc('2026-07-15T12:00')).changesAt).toBeNull();
    expect(clock.at(utc('2026-07-22T12:00')).changesAt).not.toBeNull();
  });

  it('does nothing without a place, and says so', () => {
    expect(hoursClock(read('sun'), null).at(0)).toEqual({ isActive: false, changesAt: null, why: 'no-place' });
  });
});

it('without hours never begins', () => {
  expect(hoursClock(read(''), null).at(0)).toEqual({ isActive: false, changesAt: null, why: null });
});

it('is cheap: 100,000 readings between two changes decide once', () => {
  const clock = clockOf('22:30-06:30', 'Europe/Berlin');
  const first = clock.at(utc('2026-01-15T12:00'));
  const views = new Set(Array.from({ length: 100_000 }, (_, step) => clock.at(utc('2026-01-15T12:00') + step)));
  expect([...views]).toEqual([first]);
});
