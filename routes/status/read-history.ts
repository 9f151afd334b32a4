import { historyTopics } from '#machines/history.ts';
import { linesOf } from '#machines/history/lines.ts';
import type { HistoryContext } from '#machines/history/events.ts';
import type { HistoryAbout } from '#machines/kit/history-event.ts';
import { descriptorOf } from '#machines/settings.ts';
import type { StatusDocument } from '#machines/status.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import { lineWords } from '#ui/strings/history-words.ts';
import type { HistoryRow } from '#ui/parts/history-days.ts';

/** Lines of the history in the status document, and the newest entries that they are made of. */
const shownLines = 5;
const readEntries = 80;

function rowsOf(
  facts: HistoryContext | undefined,
  about: HistoryAbout | null,
  from: number,
  count: number,
): readonly HistoryRow[] {
  const entries = (facts?.entries ?? []).filter(
    ({ kind }) => about === null || (historyTopics.get(kind)?.about ?? 'agent') === about,
  );
  return linesOf(entries)
    .toReversed()
    .slice(from, from + count)
    .map((line) => ({
      at: line.at,
      icon: historyTopics.get(line.kind)?.icon ?? '',
      sentence: lineWords(line, descriptorOf),
      times: line.times,
    }));
}

/** Lines of the history as sentences, the newest first: of everything, or of one topic. */
export const readHistory = (
  { registry }: Pick<RouteDeps, 'registry'>,
  about: HistoryAbout | null,
  from: number,
  count: number,
): readonly HistoryRow[] => rowsOf(registry.read('history')?.context, about, from, count);

/** The newest lines, as the status document shows them. */
export const newestHistory = (facts: HistoryContext | undefined): StatusDocument['happened'] =>
  rowsOf(facts && { ...facts, entries: facts.entries.slice(-readEntries) }, null, 0, shownLines).map(
    ({ at, sentence, times }) => ({ at, sentence, times }),
  );
