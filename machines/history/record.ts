import { z } from 'zod';

import { historyKinds, singleKinds } from '../history.ts';
import { once } from '../kit/once.ts';
import type { EpochMs } from '../kit/units.ts';
import { mostEntries, type NewHistoryEntry, type HistoryEntry } from './events.ts';

/** Most entries of one kind, so that a screen switched by every motion does not push out the one reboot of the year. */
const mostOfKind = 250;
/** Repetitions within this time are one entry, in milliseconds: what flaps all night must not fill the record. */
const gatherMs = 60 * 60_000;
/** How far back a repetition is looked for, in entries. */
const gatherWithin = 20;
/** Longest code and name, in characters. */
const longest = 200;

const text = once(() => z.string().max(longest));

/** One entry as it is stored and served. */
const storedEntry = once(() =>
  z.object({
    at: z.number(),
    kind: z.enum(historyKinds),
    by: text().nullable(),
    code: text(),
    times: z.int().min(1),
  }),
);

/**
 * The stored section `history`, version 1; entries of kinds that this version does not know are left
 * out.
 */
const storedRecord = once(() =>
  z.object({ version: z.literal(1), entries: z.array(z.unknown()).max(10 * mostEntries) }),
);

/** The entries of a stored section; none where it holds no record. */
export function recallEntries(section: unknown): readonly HistoryEntry[] {
  const record = storedRecord().safeParse(section);
  return record.success
    ? record.data.entries.flatMap((entry) => storedEntry().safeParse(entry).data ?? []).slice(-mostEntries)
    : [];
}

function bounded(entries: readonly HistoryEntry[], kind: HistoryEntry['kind']): readonly HistoryEntry[] {
  const ofKind = entries.filter((entry) => entry.kind === kind);
  const oldest = ofKind.length > mostOfKind ? ofKind[0] : undefined;
  return entries.filter((entry) => entry !== oldest).slice(-mostEntries);
}

/** The record with one more happening; the same one reported again changes nothing, and repetitions are gathered. */
export function note(entries: readonly HistoryEntry[], historyEvent: NewHistoryEntry): readonly HistoryEntry[] {
  const { at, kind, by } = historyEvent;
  const code = historyEvent.code.slice(0, longest);
  const recent = entries.slice(-gatherWithin);
  const alike = recent.findLast((entry) => entry.kind === kind && entry.by === by && entry.code === code);
  if (alike?.at === at) return entries;
  const gathered = alike !== undefined && !singleKinds.has(kind) && Math.abs(at - alike.at) < gatherMs;
  const rest = gathered ? entries.filter((entry) => entry !== alike) : entries;
  return bounded([...rest, { at, kind, by, code, times: gathered ? alike.times + 1 : 1 }], kind);
}

/**
 * How this run began, judged from what the last one left: null when it is in the record already (the part alone was
 * restarted).
 */
export function openingOf(stored: readonly HistoryEntry[], startedAt: EpochMs): NewHistoryEntry | null {
  const last = stored.findLast((entry) => entry.kind === 'agent');
  if (last?.at === startedAt || stored.some((entry) => entry.kind === 'agent' && entry.at === startedAt)) return null;
  const cut = last !== undefined && last.code !== 'stopped';
  return {
    at: startedAt,
    kind: 'agent',
    by: null,
    code: last === undefined ? 'first-start' : cut ? 'started-after-cut' : 'started',
  };
}

/** What earlier runs left, how this one began, and what has happened since. */
export function joinRecord(
  stored: readonly HistoryEntry[],
  fresh: readonly HistoryEntry[],
  startedAt: EpochMs,
): readonly HistoryEntry[] {
  const opening = openingOf(stored, startedAt);
  return [...(opening === null ? [] : [opening]), ...fresh].reduce<readonly HistoryEntry[]>(note, stored);
}
