import type { IconName } from '../icons.ts';
import { t } from '../strings/t.ts';
import { dayOf, dayWords } from '../strings/times.ts';

/** One entry of the history as the page draws it. */
export interface HistoryRow {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** What it is about, as `/api/v1/history` says it. */
  readonly kind: string;
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

const kinds = {
  screen: { about: 'screen', icon: 'mdi:tablet' },
  dashboard: { about: 'dashboard', icon: 'mdi:view-dashboard-outline' },
  'home-assistant': { about: 'home', icon: 'mdi:home-assistant' },
  platform: { about: 'home', icon: 'mdi:home-assistant' },
  broker: { about: 'home', icon: 'mdi:lan-connect' },
  'sign-in': { about: 'home', icon: 'mdi:login' },
  recipient: { about: 'home', icon: 'mdi:lan-connect' },
  configuration: { about: 'settings', icon: 'mdi:tune' },
  profile: { about: 'settings', icon: 'mdi:file-cog-outline' },
  announcement: { about: 'sound', icon: 'mdi:bullhorn-outline' },
  agent: { about: 'agent', icon: 'mdi:power' },
  part: { about: 'agent', icon: 'mdi:alert' },
  reboot: { about: 'agent', icon: 'mdi:restart' },
  storage: { about: 'agent', icon: 'mdi:harddisk' },
  reset: { about: 'settings', icon: 'mdi:undo-variant' },
} as const satisfies Readonly<Record<string, { readonly about: string; readonly icon: IconName }>>;

/** What the page can be narrowed down to. */
export type HistoryAbout = (typeof kinds)[keyof typeof kinds]['about'];

/** What can be chosen, in the order in which it is offered. */
export const historyAbouts: readonly HistoryAbout[] = ['screen', 'dashboard', 'home', 'settings', 'sound', 'agent'];

const known: ReadonlyMap<string, { readonly about: HistoryAbout; readonly icon: IconName }> = new Map(
  Object.entries(kinds),
);

/** What an entry of this kind is about: a kind that is not known here is about the agent. */
export const aboutOf = (kind: string): HistoryAbout => known.get(kind)?.about ?? 'agent';

/** The icon of a kind. */
export const iconOf = (kind: string): IconName => known.get(kind)?.icon ?? 'mdi:circle-outline';

/** Entries by the days of the panel's own time zone, in the order they come in; `now` in epoch milliseconds. */
export const daysOf = (rows: readonly HistoryRow[], now: number): readonly HistoryDay[] => {
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
};
