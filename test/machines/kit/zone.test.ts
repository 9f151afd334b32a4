import { describe, expect, it } from 'vitest';

import { zoneClock } from '#machines/kit/zone.ts';
import { zoneNameOf } from '#machines/kit/zone.ts';

const utc = (text: string): number => Date.parse(`${text}Z`);

/** `2026-11-26 12:34` by the calendar of a zone. */
function read(zone: string, text: string): string {
  const { day, minuteOfDay } = zoneClock(zone)(utc(text));
  const date = new Date(day * 86_400_000).toISOString().slice(0, 10);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date} ${two(Math.floor(minuteOfDay / 60))}:${two(minuteOfDay % 60)}`;
}

describe('the calendar', () => {
  it.each([
    ['Etc/UTC', '2026-11-26T12:34', '2026-11-26 12:34'],
    ['Europe/Berlin', '2026-11-26T23:30', '2026-11-27 00:30'],
    ['America/St_Johns', '2026-11-26T03:29', '2026-11-25 23:59'],
    ['America/St_Johns', '2026-11-26T03:30', '2026-11-26 00:00'],
    ['Asia/Kathmandu', '2026-11-26T18:14', '2026-11-26 23:59'],
    ['Asia/Kathmandu', '2026-11-26T18:15', '2026-11-27 00:00'],
    ['Pacific/Kiritimati', '2026-11-26T10:00', '2026-11-27 00:00'],
    ['Europe/Berlin', '1969-12-31T22:59', '1969-12-31 23:59'],
    // Clocks go forward at 01:00 UTC, and back at 01:00 UTC.
    ['Europe/Berlin', '2026-03-29T00:59', '2026-03-29 01:59'],
    ['Europe/Berlin', '2026-03-29T01:00', '2026-03-29 03:00'],
    ['Europe/Berlin', '2026-10-25T00:59', '2026-10-25 02:59'],
    ['Europe/Berlin', '2026-10-25T01:00', '2026-10-25 02:00'],
    ['Europe/Berlin', '2026-10-25T02:00', '2026-10-25 03:00'],
    // 12:45 ahead in the winter, 13:45 in the summer, changed at 14:00 UTC.
    ['Pacific/Chatham', '2026-04-04T13:59', '2026-04-05 03:44'],
    ['Pacific/Chatham', '2026-04-04T14:00', '2026-04-05 02:45'],
    // Half an hour, changed at 15:30 UTC.
    ['Australia/Lord_Howe', '2026-10-03T15:29', '2026-10-04 01:59'],
    ['Australia/Lord_Howe', '2026-10-03T15:30', '2026-10-04 02:30'],
  ])('of %s at %s UTC is %s', (zone, text, expected) => expect(read(zone, text)).toBe(expected));

  it('keeps no old offset: one clock goes through a night in which clocks change', () => {
    const clock = zoneClock('Europe/Berlin');
    const start = utc('2026-10-25T00:00');
    const hours = Array.from({ length: 16 }, (_, quarter) => clock(start + quarter * 900_000).minuteOfDay / 15);
    expect(hours).toEqual([8, 9, 10, 11, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
  });

  it('is the same after more than it keeps', () => {
    const clock = zoneClock('Asia/Kathmandu');
    const start = utc('2026-01-01T00:00');
    const first = clock(start);
    for (let quarter = 0; quarter < 3_000; quarter += 1) clock(start + quarter * 900_000);
    expect(clock(start)).toEqual(first);
  });

  it.each([null, 'Europe/Nowhere', ''])('of the zone %s is that of the system', (zone) => {
    const at = utc('2026-07-01T12:34');
    const system = new Date(at);
    expect(zoneClock(zone)(at).minuteOfDay).toBe(system.getHours() * 60 + system.getMinutes());
    expect(zoneNameOf(zone)).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone);
  });

  it('has the name that it goes by', () => expect(zoneNameOf('Europe/Berlin')).toBe('Europe/Berlin'));
});
