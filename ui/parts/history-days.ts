import { t } from '../strings/t.ts';
import { dayOf, dayWords } from '../strings/times.ts';

export interface HistoryRow {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** Name of the icon of its kind; unknown names get a circle. */
  readonly icon: string;
  readonly sentence: string;
  /** How often it happened; `at` is the last time. */
  readonly times: number;
}

/** The entries of one day, the newest first. */
export interface HistoryDay {
  /** "Today", "Yesterday" or the date. */
  readonly title: string;
  readonly rows: readonly HistoryRow[];
}

/** Entries grouped by day in the panel's time zone, in the given order; `now` in epoch milliseconds. */
export function daysOf(rows: readonly HistoryRow[], now: number): readonly HistoryDay[] {
  const today = new Date(now);
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1).getTime();
  const days = new Map<string, HistoryRow[]>();
  for (const row of rows) days.set(dayOf(row.at), [...(days.get(dayOf(row.at)) ?? []), row]);
  return [...days].map(([day, own]) => ({
    title:
      day === dayOf(now)
        ? t('history.today')
        : day === dayOf(yesterday)
          ? t('history.yesterday')
          : dayWords(own[0]?.at ?? now, now),
    rows: own,
  }));
}
