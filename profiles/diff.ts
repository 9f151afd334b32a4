import {
  mostProfileDiffs,
  type ProfileDiff,
  type ProfileDocument,
  type ProfileValue,
} from '#machines/profile-catalog/reading.ts';

import { dotted, type Path } from './yaml/places.ts';

/** Longest value that a difference shows, in characters. */
const longest = 120;

const isMap = (value: ProfileValue): value is Readonly<Record<string, ProfileValue>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const written = (value: ProfileValue): string => (typeof value === 'string' ? value : JSON.stringify(value));

const isPlain = (value: ProfileValue): boolean => typeof value !== 'object' || value === null;

const shorten = (text: string): string => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text);

/** The leaves of a document, in order. A list of plain values is one leaf, because its order matters. */
function leaves(value: ProfileValue, path: Path, into: Map<string, string>): Map<string, string> {
  if (isMap(value)) for (const [key, one] of Object.entries(value)) leaves(one, [...path, key], into);
  else if (Array.isArray(value) && !value.every((one: ProfileValue) => isPlain(one)))
    for (const [index, one] of value.entries()) leaves(one as ProfileValue, [...path, index], into);
  else
    into.set(
      dotted(path),
      Array.isArray(value) ? value.map((one: ProfileValue) => written(one)).join(', ') : written(value),
    );
  return into;
}

/**
 * Differences between two documents, at most 200: in the order of the second, then what only the first has. Null means
 * no document.
 */
export function diffProfiles(before: ProfileDocument | null, after: ProfileDocument | null): readonly ProfileDiff[] {
  const [left, right] = [leaves(before ?? {}, [], new Map()), leaves(after ?? {}, [], new Map())];
  const paths = [...right.keys(), ...[...left.keys()].filter((path) => !right.has(path))];
  return paths
    .flatMap((path): readonly ProfileDiff[] => {
      const [was, is] = [left.get(path) ?? null, right.get(path) ?? null];
      return was === is
        ? []
        : [{ path, before: was === null ? null : shorten(was), after: is === null ? null : shorten(is) }];
    })
    .slice(0, mostProfileDiffs);
}
