import { z } from 'zod';

import { historyKinds, isShowable, singleKinds } from '../history.ts';
import { once } from '../kit/once.ts';
import type { EpochMs } from '../kit/units.ts';
import { mostEntries, type NewHistoryEntry, type HistoryEntry } from './events.ts';

/** Most entries of one kind, so that a screen switched by every motion does not push out the one reboot of the year. */
const mostOfKind = 250;
/**
 * Repetitions within this time are one entry, in milliseconds: an event that repeats all night must not fill the
 * record.
 */
const gatherMs = 60 * 60_000;
/** How far back a repetition is searched for, in entries. */
const gatherWithin = 20;
/** Most values of one entry. */
const mostChanges = 6;
/** Longest code and name, in characters. */
const longest = 200;

const text = once(() => z.string().max(longest));

const settingValue = once(() => z.union([z.number(), z.boolean(), text()]));

const storedEntry = once(() =>
  z.object({
    at: z.number(),
    kind: z.enum(historyKinds),
    by: text().nullable(),
    code: text(),
    times: z.int().min(1),
    changes: z
      .array(z.object({ key: text(), from: settingValue(), to: settingValue() }))
      .max(mostChanges)
      .transform((changes) => changes.filter(isShowable))
      .exactOptional(),
  }),
);

/** The stored section `history`, version 1; entries of unknown kinds are left out. */
const storedRecord = once(() =>
  z.object({ version: z.literal(1), entries: z.array(z.unknown()).max(10 * mostEntries) }),
);

/** The entries of a stored section; empty if it contains no record. */
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

/** Adds an event to the record; one that is reported twice changes nothing, and repetitions are merged. */
export function note(entries: readonly HistoryEntry[], historyEvent: NewHistoryEntry): readonly HistoryEntry[] {
  const { at, kind, by } = historyEvent;
  const code = historyEvent.code.slice(0, longest);
  const recent = entries.slice(-gatherWithin);
  const alike = recent.findLast((entry) => entry.kind === kind && entry.by === by && entry.code === code);
  if (alike?.at === at) return entries;
  const gathered = alike !== undefined && !singleKinds.has(kind) && Math.abs(at - alike.at) < gatherMs;
  const rest = gathered ? entries.filter((entry) => entry !== alike) : entries;
  const changes = historyEvent.changes?.filter(isShowable).slice(0, mostChanges) ?? [];
  const times = gathered ? alike.times + 1 : 1;
  return bounded([...rest, { at, kind, by, code, times, ...(changes.length > 0 && { changes }) }], kind);
}

/**
 * How this run began, judged by the last entries of the previous one; null if it is already in the record (only the
 * part was restarted).
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

/** Joins the entries of earlier runs, the start of this one, and what has happened since. */
export function joinRecord(
  stored: readonly HistoryEntry[],
  fresh: readonly HistoryEntry[],
  startedAt: EpochMs,
): readonly HistoryEntry[] {
  const opening = openingOf(stored, startedAt);
  return [...(opening === null ? [] : [opening]), ...fresh].reduce<readonly HistoryEntry[]>(note, stored);
}
