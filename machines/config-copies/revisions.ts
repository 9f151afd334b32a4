import { z } from 'zod';

import { once } from '../kit/once.ts';
import type { SettingValue } from '../kit/setting.ts';
import type { EpochMs, Milliseconds } from '../kit/units.ts';
import { descriptorOf, EXPOSE_PREFIX } from '../settings.ts';
import { type Configuration, defaultConfiguration, migratedValues, SETTINGS_SCHEMA } from '../configuration.ts';
import type { ListedRevision } from './events.ts';

/** Most revisions that are kept. */
export const MOST_REVISIONS = 50;

/** Changes that follow the first one within this time are one revision. */
export const JOIN_MS: Milliseconds = 10_000;

/** Most settings of a stored revision; more than ten times the settings there are. */
const MOST_VALUES = 1024;

/**
 * What differs from the defaults: settings, and flags as `ha_expose_<key>`; never a credential, nor what is of this
 * installation alone.
 */
export type RevisionValues = Readonly<Record<string, SettingValue>>;

/** A configuration that was in force. */
export interface Revision {
  readonly id: number;
  /** The last change that belongs to it. */
  readonly savedAt: EpochMs;
  /** Schema number of its values. */
  readonly schema: number;
  readonly values: RevisionValues;
}

/** The revisions, as they are stored, and what the next change does. */
export interface RevisionBook {
  readonly version: 1;
  /** Oldest first; the last one is what was in force when it was last looked at. */
  readonly revisions: readonly Revision[];
  /** Id of the next one; ids are not used again. */
  readonly nextId: number;
  /** When the last revision began, if changes still join it; null otherwise, and after each start. */
  readonly openSince: EpochMs | null;
}

export const emptyBook: RevisionBook = { version: 1, revisions: [], nextId: 1, openSince: null };

/** The part of a configuration that a revision keeps. */
export function revisionValues({ values, expose }: Pick<Configuration, 'values' | 'expose'>): RevisionValues {
  const { values: plain, expose: shown } = defaultConfiguration;
  return Object.fromEntries([
    ...Object.entries(values).filter(
      ([key, value]) => Object.hasOwn(plain, key) && plain[key] !== value && descriptorOf(key)?.local !== true,
    ),
    ...Object.entries(expose)
      .filter(([key, value]) => Object.hasOwn(shown, key) && shown[key] !== value)
      .map(([key, value]) => [EXPOSE_PREFIX + key, value] as const),
  ]);
}

/** The keys in which two revisions differ. */
export const differingKeys = (before: RevisionValues, after: RevisionValues): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((key) => before[key] !== after[key]);

const isSame = (one: Revision, other: Pick<Revision, 'values' | 'schema'>): boolean =>
  one.schema === other.schema && differingKeys(one.values, other.values).length === 0;

/** Without those that equal the next one, which is the newer. */
const withoutRepeats = (revisions: readonly Revision[]): readonly Revision[] =>
  revisions.filter((one, index) => {
    const next = revisions[index + 1];
    return next === undefined || !isSame(one, next);
  });

/** True if a revision and the one after it changed the same settings, as an automation does again and again. */
function isStep(revisions: readonly Revision[], index: number): boolean {
  const [before, one, after] = [revisions[index - 1], revisions[index], revisions[index + 1]];
  if (before === undefined || one === undefined || after === undefined) return false;
  const [first, second] = [differingKeys(before.values, one.values), differingKeys(one.values, after.values)];
  return first.length === second.length && first.every((key) => second.includes(key));
}

/**
 * At most as many as are kept. The first to go is the oldest step of a series that changes the same settings, so that
 * an automation does not crowd out what a person did; without such a series it is the oldest one.
 */
function bounded(revisions: readonly Revision[]): readonly Revision[] {
  if (revisions.length <= MOST_REVISIONS) return revisions;
  const step = revisions.findIndex((_, index) => isStep(revisions, index));
  return bounded(withoutRepeats(revisions.toSpliced(Math.max(step, 0), 1)));
}

/** True if a change at that moment joins the last revision; a clock that was set back ends it too. */
const isJoined = ({ openSince }: RevisionBook, at: EpochMs): boolean =>
  openSince !== null && at >= openSince && at - openSince < JOIN_MS;

/** With a revision in place of the last one, which goes if nothing is left of its change. */
function joined(book: RevisionBook, last: Revision, next: Omit<Revision, 'id'>): RevisionBook {
  const before = book.revisions.slice(0, -1);
  const one = before.at(-1);
  return one !== undefined && isSame(one, next)
    ? { ...book, revisions: before, openSince: null }
    : { ...book, revisions: [...before, { ...next, id: last.id }] };
}

/**
 * The book after a look at what is in force; the same object if nothing changed. What is found at a start is a revision
 * of its own: changes that follow do not join it.
 */
export function withRevision(
  book: RevisionBook,
  values: RevisionValues,
  { at, isStart }: { readonly at: EpochMs; readonly isStart: boolean },
): RevisionBook {
  const last = book.revisions.at(-1);
  const next = { savedAt: at, schema: SETTINGS_SCHEMA, values };
  if (last !== undefined && isSame(last, next)) return book;
  if (last !== undefined && !isStart && isJoined(book, at)) return joined(book, last, next);
  return {
    ...book,
    revisions: bounded([...book.revisions, { ...next, id: book.nextId }]),
    nextId: book.nextId + 1,
    openSince: isStart ? null : at,
  };
}

/** The revisions as they are listed, newest first. */
export const listedRevisions = ({ revisions }: RevisionBook): readonly ListedRevision[] =>
  revisions
    .map(({ id, savedAt, values }, index) => {
      const before = revisions[index - 1];
      return {
        id,
        savedAt,
        keys: Object.keys(values).length,
        changed: before === undefined ? [] : differingKeys(before.values, values),
      };
    })
    .toReversed();

const storedRevision = once(() =>
  z.object({
    id: z.int().min(1),
    savedAt: z.number(),
    schema: z.int().min(1),
    values: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .refine((values) => Object.keys(values).length <= MOST_VALUES),
  }),
);
const storedBook = once(() =>
  z.object({ version: z.literal(1), nextId: z.int().min(1), revisions: z.array(z.unknown()).max(10 * MOST_REVISIONS) }),
);

const isValue = (value: unknown): value is SettingValue =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** In the present schema; those of a newer version stay as they are, for that version. */
function present({ id, savedAt, schema, values }: z.infer<ReturnType<typeof storedRevision>>): Revision {
  if (schema >= SETTINGS_SCHEMA) return { id, savedAt, schema, values };
  const read = Object.entries(migratedValues(values, schema));
  const kept = read.flatMap(([key, value]) => (isValue(value) ? [[key, value] as const] : []));
  return { id, savedAt, schema: SETTINGS_SCHEMA, values: Object.fromEntries(kept) };
}

/** Reads the JSON of the file; a revision that is damaged is left out. Throws if it is something else. */
export function readBook(json: unknown): RevisionBook {
  const { nextId, revisions } = storedBook().parse(json);
  const read = revisions
    .flatMap((stored) => {
      const { data } = storedRevision().safeParse(stored);
      return data === undefined ? [] : [present(data)];
    })
    .toSorted((one, other) => one.id - other.id)
    .filter(({ id }, index, all) => all[index + 1]?.id !== id);
  return { ...emptyBook, revisions: bounded(read), nextId: Math.max(nextId, (read.at(-1)?.id ?? 0) + 1) };
}
