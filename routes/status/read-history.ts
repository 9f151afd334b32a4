import { historyTopics } from '#machines/history.ts';
import type { HistoryContext } from '#machines/history/events.ts';
import type { HistoryAbout } from '#machines/kit/history-event.ts';
import { descriptorOf } from '#machines/settings.ts';
import type { StatusDocument } from '#machines/status.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import { entryWords } from '#ui/strings/history-words.ts';
import type { HistoryRow } from '#ui/parts/history-days.ts';

/** Entries of the history in the status document. */
const shownEntries = 5;

function rowsOf(
  facts: HistoryContext | undefined,
  about: HistoryAbout | null,
  from: number,
  count: number,
): readonly HistoryRow[] {
  return (facts?.entries ?? [])
    .filter(({ kind }) => about === null || (historyTopics.get(kind)?.about ?? 'agent') === about)
    .toReversed()
    .slice(from, from + count)
    .map((entry) => ({
      at: entry.at,
      icon: historyTopics.get(entry.kind)?.icon ?? '',
      sentence: entryWords(entry, (key) => descriptorOf(key)?.label),
      times: entry.times,
    }));
}

/** Entries of the history as sentences, the newest first: of everything, or of one topic. */
export const readHistory = (
  { registry }: Pick<RouteDeps, 'registry'>,
  about: HistoryAbout | null,
  from: number,
  count: number,
): readonly HistoryRow[] => rowsOf(registry.read('history')?.context, about, from, count);

/** The newest entries, as the status document shows them. */
export const newestHistory = (facts: HistoryContext | undefined): StatusDocument['happened'] =>
  rowsOf(facts, null, 0, shownEntries).map(({ at, sentence, times }) => ({ at, sentence, times }));
