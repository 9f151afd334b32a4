import { ok, refuse, type Result } from '../kit/result.ts';

/** Hours of some days of the week, by the wall clock. */
export interface HourRange {
  /** Days on which it begins, ascending; 0 is Monday. */
  readonly days: readonly number[];
  /** Minute of the day, 0 to 1439. */
  readonly from: number;
  /** 1 to 1440, never `from`; if it is earlier than `from`, on the next day. */
  readonly to: number;
}

/** Most ranges of one setting. */
const RANGES_MAX = 4;
/** Most characters of a faulty word that a refusal repeats. */
const SHOWN_LENGTH = 16;
const DAY_MINUTES = 1_440;

const dayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const ordinals = ['first', 'second', 'third', 'fourth'] as const;

/** A word, a time, or one separator, with its position; "" at the end of the text. */
interface Token {
  readonly text: string;
  readonly at: number;
}

/** What is expected instead, and where. */
interface Fault {
  readonly at: number;
  readonly what: string;
}

type Read<T> = { readonly value: T; readonly next: number } | { readonly fault: Fault };

function tokensOf(text: string): readonly Token[] {
  const found = [...text.matchAll(/[;,\-–—−]|[^\s;,\-–—−]+/gu)].map(({ 0: word, index }): Token => ({
    text: /^[–—−]$/u.test(word) ? '-' : word.toLowerCase(),
    at: index,
  }));
  return [...found, { text: '', at: text.length }];
}

const tokenAt = (tokens: readonly Token[], index: number): Token => tokens[index] ?? { text: '', at: Infinity };

const shown = (word: string): string => Array.from(word).slice(0, SHOWN_LENGTH).join('');

const fault = (at: number, what: string): { readonly fault: Fault } => ({ fault: { at, what } });

const dayOf = (word: string): number => dayNames.findIndex((name) => name === word);

function readDay(tokens: readonly Token[], index: number): Read<number> {
  const { text, at } = tokenAt(tokens, index);
  const day = dayOf(text);
  if (day !== -1) return { value: day, next: index + 1 };
  if (!/^\p{L}/u.test(text)) return fault(at, `a day must follow: one of ${dayNames.join(', ')}`);
  return fault(at, `${shown(text)} is no day; the days are ${dayNames.join(', ')}`);
}

/** `mon`, or `mon-fri`, also over the end of the week. */
function readDaySpan(tokens: readonly Token[], index: number): Read<readonly number[]> {
  const first = readDay(tokens, index);
  if ('fault' in first) return first;
  if (tokenAt(tokens, first.next).text !== '-') return { value: [first.value], next: first.next };
  const last = readDay(tokens, first.next + 1);
  if ('fault' in last) return last;
  const count = ((last.value - first.value + dayNames.length) % dayNames.length) + 1;
  const value = Array.from({ length: count }, (_, step) => (first.value + step) % dayNames.length);
  return { value, next: last.next };
}

/** `mon-wed,sat`; every day if the range begins with a time. */
function readDays(tokens: readonly Token[], index: number): Read<readonly number[]> {
  if (!/^\p{L}/u.test(tokenAt(tokens, index).text)) return { value: dayNames.map((_, day) => day), next: index };
  const days = new Set<number>();
  for (let next = index; ; next += 1) {
    const span = readDaySpan(tokens, next);
    if ('fault' in span) return span;
    for (const day of span.value) days.add(day);
    ({ next } = span);
    if (tokenAt(tokens, next).text !== ',') return { value: [...days].toSorted((a, b) => a - b), next };
  }
}

/** Minute of the day; 1440 for 24:00, which only an end can be. */
function readTime(tokens: readonly Token[], index: number, isEnd: boolean): Read<number> {
  const { text, at } = tokenAt(tokens, index);
  if (text === '' || text === ';' || text === ',' || text === '-') {
    const before = tokenAt(tokens, index - 1).text;
    const follows = index === 0 || before === ';' ? 'is missing' : `must follow ${shown(before)}`;
    return fault(at, `a time such as ${isEnd ? '06:30' : '22:30'} ${follows}`);
  }
  const { hour, minute } = /^(?<hour>\d{1,2}):(?<minute>\d\d)$/.exec(text)?.groups ?? {};
  if (hour === undefined || minute === undefined)
    return fault(at, `${shown(text)} is no time of day; write it like ${isEnd ? '06:30' : '22:30'}`);
  const value = Number(hour) * 60 + Number(minute);
  if (value === DAY_MINUTES && !isEnd) return fault(at, '24:00 can only be an end; a range that begins then has 00:00');
  if (Number(minute) > 59 || value > DAY_MINUTES) return fault(at, `${text} is no time of day`);
  return { value, next: index + 1 };
}

function readRange(tokens: readonly Token[], index: number): Read<HourRange> {
  const days = readDays(tokens, index);
  if ('fault' in days) return days;
  const from = readTime(tokens, days.next, false);
  if ('fault' in from) return from;
  const dash = tokenAt(tokens, from.next);
  if (dash.text !== '-')
    return fault(dash.at, `a hyphen and the end, such as -06:30, must follow ${tokenAt(tokens, days.next).text}`);
  const to = readTime(tokens, from.next + 1, true);
  if ('fault' in to) return to;
  const written = tokenAt(tokens, from.next + 1);
  if (from.value === to.value)
    return fault(written.at, `it ends when it begins, at ${written.text}; a whole day is 00:00-24:00`);
  const after = tokenAt(tokens, to.next);
  if (after.text !== '' && after.text !== ';')
    return fault(after.at, `${shown(after.text)} cannot follow ${written.text}; ranges are separated by a semicolon`);
  return { value: { days: days.value, from: from.value, to: to.value }, next: to.next };
}

/** Where a fault is, for the owner: which range, and which character of the whole text, counted from 1. */
function refusalOf(text: string, range: number, { at, what }: Fault): Result<never, 'hours'> {
  const place = at >= text.length ? 'at its end' : `at character ${at + 1}`;
  const ordinal = ordinals[range];
  if (ordinal === undefined) return refuse('hours', `At character ${at + 1}: ${what}.`);
  return refuse('hours', `The ${ordinal} range, ${place}: ${what}.`);
}

/** Reads one to four ranges, such as `mon-fri 22:30-06:30; sat,sun 00:00-08:00`. */
export function readRanges(text: string): Result<readonly HourRange[], 'hours'> {
  const tokens = tokensOf(text);
  const ranges: HourRange[] = [];
  for (let index = 0; ; index += 1) {
    if (ranges.length === RANGES_MAX)
      return refusalOf(text, RANGES_MAX, { at: tokenAt(tokens, index).at, what: 'there can be four ranges at most' });
    const range = readRange(tokens, index);
    if ('fault' in range) return refusalOf(text, ranges.length, range.fault);
    ranges.push(range.value);
    index = range.next;
    if (tokenAt(tokens, index).text === '') return ok(ranges);
  }
}

const two = (value: number): string => String(value).padStart(2, '0');

const timeText = (minute: number): string => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;

/** Days that follow each other, as `mon-fri` from three on. */
function daysText(days: readonly number[]): string {
  const spans: number[][] = [];
  for (const day of days) {
    const span = spans.at(-1);
    if (span?.at(-1) === day - 1) span.push(day);
    else spans.push([day]);
  }
  const named = (day: number | undefined): string => dayNames[day ?? 0] ?? '';
  return spans
    .map((span) => (span.length > 2 ? `${named(span[0])}-${named(span.at(-1))}` : span.map(named).join(',')))
    .join(',');
}

/** The canonical spelling of a range. */
export const rangeText = ({ days, from, to }: HourRange): string =>
  `${days.length === dayNames.length ? '' : `${daysText(days)} `}${timeText(from)}-${timeText(to)}`;
