import { z } from 'zod';
import { ownField } from '#machines/kit/own-field.ts';

type RawIssue = z.core.$ZodRawIssue;
type Issue = z.core.$ZodIssue;

/** Most characters of a name that are repeated in an answer. */
const nameLength = 64;
/** Most reasons in the message; all of them are in `reasons`. */
const shownReasons = 3;
/** Most refused fields that are named. */
const mostReasons = 32;

const words: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** A path as a person would write it: `ref.id`, `rgb.0`. */
export const placeOf = (path: readonly PropertyKey[]): string => path.map(String).join('.').slice(0, nameLength);

const named = (path: readonly PropertyKey[] | undefined): string =>
  path === undefined || path.length === 0 ? 'The body' : `The field "${placeOf(path)}"`;

function optionsOf(values: readonly unknown[]): string {
  const spelled = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  return spelled.length === 1 ? `must be ${spelled[0] ?? ''}` : `must be one of: ${spelled.join(', ')}`;
}

/** Both bounds of a number; null unless it has both. */
function rangeOf(schema: z.core.$ZodType | undefined): readonly [number, number] | null {
  if (!(schema instanceof z.ZodNumber)) return null;
  const [low, high] = [schema.minValue ?? -Infinity, schema.maxValue ?? Infinity];
  // A whole number without bounds has those of its type.
  return low > Number.MIN_SAFE_INTEGER && high < Number.MAX_SAFE_INTEGER ? [low, high] : null;
}

/** What a number must be, with its bounds if it has both. */
function numberWords(whole: boolean, schema: z.core.$ZodType | undefined): string {
  const range = rangeOf(schema);
  return `${whole ? 'a whole number' : 'a number'}${range === null ? '' : ` from ${range[0]} to ${range[1]}`}`;
}

const isWhole = (schema: z.core.$ZodType | undefined): boolean => schema instanceof z.ZodNumber && schema.isInt;

function bound(issue: RawIssue & { code: 'too_small' | 'too_big' }): string {
  if (rangeOf(issue.schema) !== null) return `must be ${numberWords(isWhole(issue.schema), issue.schema)}`;
  const limit = issue.code === 'too_small' ? issue.minimum : issue.maximum;
  const side = issue.code === 'too_small' ? 'at least' : 'at most';
  if (side === 'at least' && limit === 1 && issue.origin !== 'number') return 'must not be empty';
  const unit = issue.origin === 'string' ? ' characters long' : issue.origin === 'array' ? ' entries long' : '';
  return `must be ${side} ${String(limit)}${unit}`;
}

function known(issue: RawIssue): string {
  const schema = issue.inst instanceof z.ZodObject ? issue.inst : null;
  const names = Object.keys(schema?.shape ?? {});
  return names.length === 0 ? 'Leave it out.' : `Send only ${names.map((name) => `"${name}"`).join(', ')}.`;
}

/**
 * One sentence for what a schema refuses: the field, the reason and the fix; a schema's own message takes precedence.
 */
export function sentenceOf(issue: RawIssue): string | undefined {
  const field = named(issue.path);
  switch (issue.code) {
    case 'invalid_type': {
      const number = issue.expected === 'number' || issue.expected === 'int';
      const whole = issue.expected === 'int' || isWhole(issue.schema);
      const word = number ? numberWords(whole, issue.schema) : (ownField(words, issue.expected) ?? issue.expected);
      return issue.input === undefined ? `${field} is missing: it must be ${word}.` : `${field} must be ${word}.`;
    }
    case 'too_small':
    case 'too_big':
      return `${field} ${bound(issue)}.`;
    case 'invalid_value':
      return issue.input === undefined
        ? `${field} is missing: it ${optionsOf(issue.values)}.`
        : `${field} ${optionsOf(issue.values)}.`;
    case 'invalid_format':
      return `${field} does not match its description.`;
    case 'unrecognized_keys': {
      const [first = ''] = issue.keys;
      return `There is no field "${placeOf([...(issue.path ?? []), first])}" here. ${known(issue)}`;
    }
    case 'invalid_union':
      return issue.discriminator === undefined
        ? `${field} matches none of its described forms.`
        : `${field} ${optionsOf(Array.isArray(issue.options) ? issue.options : [])}.`;
    default:
      return undefined;
  }
}

const strangers = (issues: readonly Issue[]): number =>
  issues.reduce(
    (sum, issue) => sum + (issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys.length : 0),
    0,
  );

/**
 * The issues of the alternative that was probably meant: the one with the fewest unknown names, and then the fewest
 * issues.
 */
function nearestOf(alternatives: readonly (readonly Issue[])[]): readonly Issue[] {
  const [first, second] = alternatives
    .map((issues) => ({ issues, distance: strangers(issues) * 1000 + issues.length }))
    .toSorted((one, other) => one.distance - other.distance);
  return first === undefined || first.distance === second?.distance ? [] : first.issues;
}

function placesOf(issue: Issue): readonly string[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => placeOf([...issue.path, key]));
  const meant = issue.code === 'invalid_union' ? nearestOf(issue.errors) : [];
  return meant.length === 0
    ? [placeOf(issue.path) || 'body']
    : meant.flatMap((inner) => placesOf({ ...inner, path: [...issue.path, ...inner.path] }));
}

/** The message for unknown names speaks of the first; the others get a sentence each. */
const wordsFor = (issue: Issue, place: string, index: number): string =>
  issue.code === 'unrecognized_keys' && index > 0 ? `There is no field "${place}" here.` : issue.message;

/** A sentence per refused field, at most 32 of them. */
const reasonsOf = (issues: readonly Issue[]): Readonly<Record<string, string>> =>
  firstReasons(
    issues.flatMap((issue) =>
      placesOf(issue).map((place, index): readonly [string, string] => [place, wordsFor(issue, place, index)]),
    ),
  );

/** What a schema refuses, for a person: the first sentences, and one for each field. */
export function explain(issues: readonly Issue[]): {
  readonly message: string;
  readonly reasons: Readonly<Record<string, string>>;
} {
  const reasons = reasonsOf(issues);
  return { message: summaryOf(reasons), reasons };
}

/** The first 32 refused fields, each with its first sentence. */
export function firstReasons(reasons: readonly (readonly [string, string])[]): Readonly<Record<string, string>> {
  const first = new Map<string, string>();
  for (const [place, sentence] of reasons)
    if (first.size < mostReasons && !first.has(place)) first.set(place, sentence);
  return Object.fromEntries(first);
}

/** The first reasons as one text, with the number of the others. */
export function summaryOf(reasons: Readonly<Record<string, string>>): string {
  const all = [...new Set(Object.values(reasons))];
  const more = all.length - shownReasons;
  return [...all.slice(0, shownReasons), ...(more > 0 ? [`And ${more} more.`] : [])].join(' ');
}
