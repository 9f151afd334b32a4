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

/** The day of `at`, as a text that is equal for the whole day. */
export const dayOf = (at: number): string => new Date(at).toDateString();

/** A day in words, seen from `now`: with its weekday, or with the year if that differs. */
export const dayWords = (at: number, now: number): string =>
  new Date(at).toLocaleDateString(language, {
    day: 'numeric',
    month: 'long',
    ...(new Date(at).getFullYear() === new Date(now).getFullYear() ? { weekday: 'long' } : { year: 'numeric' }),
  });

/** Name of the time zone used here, such as "Europe/Berlin". */
export const timeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

export const seconds = (at: number): string => new Date(at).toTimeString().slice(0, 8);

/** Hours and minutes, in 24-hour form. */
export const clock = (at: number): string => seconds(at).slice(0, 5);

/**
 * The exact moment in the reader's own time zone: "Nov 5, 2026, 22:35:07". A date's own text is always English, as
 * `language` is; `Intl`, whose first use takes 20 ms and 6 MB, would slow the first page.
 */
export function exact(at: number): string {
  const [, month, day, year] = dayOf(at).split(' ');
  return `${month} ${Number(day)}, ${year}, ${seconds(at)}`;
}

/** Start of something ongoing: hours and minutes, or the exact moment if that is a day or more before `now`. */
export const since = (at: number, now: number): string => (now - at < 86_400_000 ? clock(at) : exact(at));
