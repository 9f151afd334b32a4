import type { z } from 'zod';

import type { ProfileIssue } from '#machines/profile-catalog/reading.ts';

import { closest } from './closest.ts';
import { keysAt, purposeOf } from './schema/look-up.ts';
import { dotted, lineAndColumn, nearest, type Path, type Places } from './yaml/places.ts';
import { placeKey } from './yaml/places.ts';
import { ownField } from '#machines/kit/own-field.ts';

/** The text in which issues are found. */
export interface Source {
  readonly text: string;
  readonly places: Places;
  readonly document: unknown;
}

/** Longest value that a message repeats, in characters. */
const shownLength = 40;
/** Largest number of allowed words that a message lists. */
const mostListed = 12;

/** Places an issue at a path; `at` tells whether the key or the value is wrong. */
export function issueAt(
  { text, places }: Pick<Source, 'text' | 'places'>,
  issue: Pick<ProfileIssue, 'severity' | 'reason' | 'message'>,
  path: Path,
  at: 'key' | 'value' = 'value',
): ProfileIssue {
  const place = nearest(places, path);
  const there = places.has(placeKey(path));
  const offset = place === undefined ? 0 : at === 'key' || !there ? (place.key ?? place.value) : place.value;
  return { ...issue, path: dotted(path), ...lineAndColumn(text, offset) };
}

/** Formats a value for a message. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'a map';
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > shownLength ? `${text.slice(0, shownLength - 1)}…` : text;
}

function valueAt(document: unknown, path: Path): unknown {
  let value: unknown = document;
  // The steps of a path index maps and lists alike; other values have no parts.
  for (const step of path)
    value =
      typeof value === 'object' && value !== null
        ? ownField(value as Readonly<Record<string, unknown>>, String(step))
        : undefined;
  return value;
}

const kinds: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
  record: 'a map',
};

function listed(values: readonly unknown[]): string {
  const words = values.slice(0, mostListed).map((value) => JSON.stringify(value));
  return values.length > mostListed ? `${words.join(', ')} and others` : words.join(' or ');
}

function meant(value: unknown, known: readonly unknown[]): string {
  const guess =
    typeof value === 'string'
      ? closest(
          value,
          known.filter((one) => typeof one === 'string'),
        )
      : null;
  return guess === null ? '' : ` Did you mean "${guess}"?`;
}

function counted(origin: string, bound: number | bigint): string {
  if (origin === 'string') return `${bound} character${bound === 1 ? '' : 's'}`;
  return origin === 'array' || origin === 'set' || origin === 'map'
    ? `${bound} entr${bound === 1 ? 'y' : 'ies'}`
    : String(bound);
}

/** A path as the subject of a sentence. */
const named = (path: Path): string => (path.length === 0 ? 'The document' : dotted(path));

type ZodIssue = z.core.$ZodIssue;

const pathOf = (issue: ZodIssue): Path => issue.path.map((step) => (typeof step === 'number' ? step : String(step)));

function sentence(issue: ZodIssue, path: Path, source: Source): Pick<ProfileIssue, 'reason' | 'message'> {
  const value = valueAt(source.document, path);
  const name = named(path);
  const purpose = purposeOf(path, source.document);
  const about = purpose === null ? '' : ` (${purpose.replace(/\.$/, '')})`;
  switch (issue.code) {
    case 'invalid_type': {
      const kind = ownField(kinds, issue.expected) ?? 'another kind of value';
      if (value === undefined) return { reason: 'missing', message: `${name} is missing${about}. Add ${kind}.` };
      return { reason: 'wrong-kind', message: `${name} is ${shown(value)}. Write ${kind}${about}.` };
    }
    case 'invalid_value':
      if (value === undefined)
        return { reason: 'missing', message: `${name} is missing${about}. Write ${listed(issue.values)}.` };
      return {
        reason: 'not-allowed',
        message: `${name} is ${shown(value)}. Write ${listed(issue.values)}.${meant(value, issue.values)}`,
      };
    case 'too_big': {
      const big = issue.origin === 'string' ? 'long' : 'big';
      const most = counted(issue.origin, issue.maximum);
      return { reason: 'too-big', message: `${name} is too ${big}. Use at most ${most}.` };
    }
    case 'too_small': {
      const small = issue.origin === 'string' ? 'short' : 'small';
      const least = counted(issue.origin, issue.minimum);
      return { reason: 'too-small', message: `${name} is too ${small}. Use at least ${least}.` };
    }
    case 'not_multiple_of':
      return { reason: 'wrong-form', message: `${name} is ${shown(value)}. Write a multiple of ${issue.divisor}.` };
    case 'invalid_union': {
      // A union of drivers: its options are the known ids.
      const options = 'options' in issue && Array.isArray(issue.options) ? issue.options : [];
      const allowed = options.length === 0 ? 'one of the allowed values' : listed(options);
      if (value === undefined) return { reason: 'missing', message: `${name} is missing${about}. Write ${allowed}.` };
      return {
        reason: 'not-allowed',
        message: `${name} is ${shown(value)}. Write ${allowed}.${meant(value, options)}`,
      };
    }
    case 'invalid_key':
      return { reason: 'wrong-form', message: `${name} has a key that is not allowed. Choose another.` };
    default:
      return {
        reason: 'wrong-form',
        message: `${name} is ${shown(value)}, which does not have the right form${about}. Write it as the schema says.`,
      };
  }
}

/** The issues of what is written where either a word or a driver may be. */
function ofWritten(issue: ZodIssue, { document }: Source): readonly ZodIssue[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue];
  const value = valueAt(document, pathOf(issue));
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
  const branch = isMap ? issue.errors.at(-1) : issue.errors[0];
  return (branch ?? []).map((one) => ({ ...one, path: [...issue.path, ...one.path] }));
}

/** Turns zod's issues into sentences, one per path, each with line and column. */
export const explain = (found: readonly ZodIssue[], source: Source): readonly ProfileIssue[] =>
  found
    .flatMap((one) => ofWritten(one, source))
    .flatMap((issue) => {
      const path = pathOf(issue);
      if (issue.code !== 'unrecognized_keys')
        return [
          issueAt(
            source,
            { severity: 'error', ...sentence(issue, path, source) },
            path,
            issue.code === 'invalid_key' ? 'key' : 'value',
          ),
        ];
      const known = keysAt(path, source.document);
      const next = known.length === 0 ? 'Take it out.' : `Take it out, or use one of ${listed(known)}.`;
      return issue.keys.map((key) => {
        const message = `${dotted([...path, key])} is not known.${meant(key, known)} ${next}`;
        return issueAt(source, { severity: 'error', reason: 'unknown-key', message }, [...path, key], 'key');
      });
    });
