import { foreignValue } from '#machines/kit/foreign-json.ts';
import { jsonBounds } from '#machines/kit/json-excess.ts';

/** The index after the closing quote of the string that begins at `from`. */
function stringEnd(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

/**
 * The first `most` names at the top level of a JSON object, in order and with repetitions, which JSON.parse would
 * swallow. The text was validated, and may end in the middle.
 */
export function topLevelNames(text: string, most: number): readonly string[] {
  const names: string[] = [];
  let depth = 0;
  let name: string | null = null;
  for (let at = 0; at < text.length && names.length < most; at += 1) {
    const unit = text[at];
    if (unit === '"') {
      const end = stringEnd(text, at);
      if (depth === 1) name = text.slice(at, end);
      at = end - 1;
    } else if (unit === '{' || unit === '[') depth += 1;
    else if (unit === '}' || unit === ']') depth -= 1;
    else if (unit === ':' && depth === 1 && name !== null) {
      const value = foreignValue(name, jsonBounds.body);
      if (typeof value === 'string') names.push(value);
      name = null;
    }
  }
  return names;
}
