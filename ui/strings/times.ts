import { language, t } from './t.ts';

/** How long ago `at` was, seen from `now` (both epoch milliseconds): "3 min ago". */
export function ago(at: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - at) / 1000));
  if (seconds < 5) return t('ago.now');
  if (seconds < 60) return t('ago.seconds', { count: seconds });
  if (seconds < 3600) return t('ago.minutes', { count: Math.floor(seconds / 60) });
  if (seconds < 86_400) return t('ago.hours', { count: Math.floor(seconds / 3600) });
  return t('ago.days', { count: Math.floor(seconds / 86_400) });
}

/** The day that `at` is in, the same text for all of it. */
export const dayOf = (at: number): string => new Date(at).toDateString();

/** A day in words, seen from `now`: with its weekday, and of another year with that. */
export const dayWords = (at: number, now: number): string =>
  new Date(at).toLocaleDateString(language, {
    day: 'numeric',
    month: 'long',
    ...(new Date(at).getFullYear() === new Date(now).getFullYear() ? { weekday: 'long' } : { year: 'numeric' }),
  });

/** Name of the time zone in which times are written here: "Europe/Berlin". */
export const timeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Hours, minutes and seconds of a line of the log. */
export const seconds = (at: number): string => new Date(at).toTimeString().slice(0, 8);

/** Hours and minutes, as a clock on a wall shows them. */
export const clock = (at: number): string => seconds(at).slice(0, 5);

/**
 * The exact moment in the reader's own time zone: "Nov 5, 2026, 22:35:07". A date's own text is always English, as
 * `language` is; `Intl`, whose first use takes 20 ms and 6 MB, would slow the first page.
 */
export function exact(at: number): string {
  const [, month, day, year] = dayOf(at).split(' ');
  return `${month} ${Number(day)}, ${year}, ${seconds(at)}`;
}

/** Since when something goes on: hours and minutes, and the exact moment where that is a day before `now` or more. */
export const since = (at: number, now: number): string => (now - at < 86_400_000 ? clock(at) : exact(at));
