/** Position of a part of the document in its text, as offsets in UTF-16 units. */
export interface Place {
  /** Offset of the key; null inside a list and for the document itself. */
  readonly key: number | null;
  readonly value: number;
}

/** Positions of the parts of a document, by `placeKey`. */
export type Places = ReadonlyMap<string, Place>;

/** Keys and indices that lead to a part of a document. */
export type Path = readonly (string | number)[];

/** The key of a path in `Places`; not `dotted`, since keys may contain dots. */
export const placeKey = (path: Path): string => JSON.stringify(path);

/** A path for people, `hardware.relays[0].options.line`; truncated to 200 characters. */
export const dotted = (path: Path): string =>
  path
    .map((step, index) =>
      typeof step === 'number'
        ? `[${step}]`
        : `${index === 0 ? '' : '.'}${/^[\w-]{1,64}$/.test(step) ? step : JSON.stringify(step.slice(0, 64))}`,
    )
    .join('')
    .slice(0, 200);

/** Line and column, both from 1, of an offset in a text; YAML ends lines with LF, CR or both. */
export function lineAndColumn(text: string, offset: number): { readonly line: number; readonly column: number } {
  let line = 1;
  let start = 0;
  const end = Math.max(0, Math.min(offset, text.length));
  for (let at = 0; at < end; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 10 || (unit === 13 && text.charCodeAt(at + 1) !== 10)) {
      line += 1;
      start = at + 1;
    }
  }
  return { line, column: end - start + 1 };
}

/** The position of a path, or of the nearest enclosing part that exists. */
export function nearest(places: Places, path: Path): Place | undefined {
  for (let length = path.length; length >= 0; length -= 1) {
    const place = places.get(placeKey(path.slice(0, length)));
    if (place !== undefined) return place;
  }
  return undefined;
}
