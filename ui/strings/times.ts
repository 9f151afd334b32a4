import { language, t } from './t.ts';

/** How long ago `at` was, seen from `now` (both epoch milliseconds): "3 min ago". */
export const ago = (at: number, now: number): string => {
  const seconds = Math.max(0, Math.round((now - at) / 1000));
  if (seconds < 5) return t('ago.now');
  if (seconds < 60) return t('ago.seconds', { count: seconds });
  if (seconds < 3600) return t('ago.minutes', { count: Math.floor(seconds / 60) });
  if (seconds < 86_400) return t('ago.hours', { count: Math.floor(seconds / 3600) });
  return t('ago.days', { count: Math.floor(seconds / 86_400) });
};

const exactFormat = /* @__PURE__ */ new Intl.DateTimeFormat(language, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

const clockFormat = /* @__PURE__ */ new Intl.DateTimeFormat(language, {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

const secondsFormat = /* @__PURE__ */ new Intl.DateTimeFormat(language, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

const dayFormat = /* @__PURE__ */ new Intl.DateTimeFormat(language, {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});
const weekdayFormat = /* @__PURE__ */ new Intl.DateTimeFormat(language, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
});
const dateFormat = /* @__PURE__ */ new Intl.DateTimeFormat(language, {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});

/** The day that `at` is in, the same text for all of it. */
export const dayOf = (at: number): string => dayFormat.format(at);

/** A day in words, seen from `now`: with its weekday, and of another year with that. */
export const dayWords = (at: number, now: number): string =>
  (new Date(at).getFullYear() === new Date(now).getFullYear() ? weekdayFormat : dateFormat).format(at);

/** Name of the time zone in which times are written here: "Europe/Berlin". */
export const timeZone = (): string => dayFormat.resolvedOptions().timeZone;

/** The exact moment in the reader's own time zone. */
export const exact = (at: number): string => exactFormat.format(at);

/** Since when something goes on: hours and minutes, and the exact moment where that is a day before `now` or more. */
export const since = (at: number, now: number): string =>
  now - at < 86_400_000 ? new Date(at).toTimeString().slice(0, 5) : exact(at);

/** Hours, minutes and seconds of a line of the log. */
export const seconds = (at: number): string => secondsFormat.format(at);

/** Hours and minutes, as a clock on a wall shows them. */
export const clock = (at: number): string => clockFormat.format(at);
