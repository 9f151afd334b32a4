/** Shorter secrets may also be ordinary words: they are removed only where they stand as a value. */
export const shortestEverywhere = 8;

/** Shorter secrets, and the words of JSON, are so common as values that only the name of a field gives them away. */
const shortestValue = 4;
const common: ReadonlySet<string> = new Set(['true', 'false', 'null', 'none']);

/** Names of fields, options and headers after which any text is a secret. */
const NAMED = String.raw`(?:pass|passwd|password|passphrase|secret|token|(?<![a-z])pin|credentials?|authorization|api_?key)`;
/** What opens and closes a quotation, also inside a JSON string; here and below bounded, so that no run takes long. */
const QUOTE = String.raw`\\{0,7}["'\x60]`;
/** Not the level or the part of a line of the log: these are words of the program. */
const NOT_OWN = String.raw`(?<!\\|"(?:level|part)":)`;
const END = String.raw`(?=$|[\s,;&#"'\x60\\()\[\]{}<>]|\.(?:\s|$))`;

const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

/**
 * Creates a function that replaces a short secret by `[redacted]` where it stands as a value: after `=` or `:`, as a
 * whole quotation that is not a field's name, after the name of a secret. Within a sentence or another word it stays:
 * its absence there would tell what it is.
 */
export function redactAsValue(secret: string, spelling: string, redacted: string): (text: string) => string {
  const value = literal(spelling);
  const named = [
    new RegExp(String.raw`(${NAMED}(?:${QUOTE})?\s{0,4}[:=]\s{0,4}(?:${QUOTE})?)${value}(?![\p{L}\p{N}])`, 'giu'),
    new RegExp(String.raw`((?:--[\w-]{0,40}${NAMED}|\bbearer|\bbasic)\s{1,4})${value}(?![\p{L}\p{N}])`, 'giu'),
    new RegExp(String.raw`(:)${value}(?=@)`, 'gu'),
  ];
  const anywhere =
    secret.length < shortestValue || common.has(secret.toLowerCase())
      ? []
      : [
          new RegExp(String.raw`(=)${value}${END}`, 'gmu'),
          new RegExp(String.raw`(:[ \t]{1,8})${value}(?=[ \t]{0,8}(?:$|[,;"'\x60\\)\]}]))`, 'gmu'),
          // A number right after a colon is a port, a time or part of an address.
          ...(/^\d+$/.test(secret) ? [] : [new RegExp(String.raw`(:)${value}${END}`, 'gmu')]),
        ];
  const quoted =
    anywhere.length === 0 ? null : new RegExp(String.raw`${NOT_OWN}(${QUOTE})${value}\1(?!\s{0,4}:)`, 'gu');
  const behind = [...named, ...anywhere];
  return (text) => {
    if (!text.includes(spelling)) return text;
    const unquoted = quoted === null ? text : text.replace(quoted, `$1${redacted}$1`);
    return behind.reduce((rest, place) => rest.replace(place, `$1${redacted}`), unquoted);
  };
}
