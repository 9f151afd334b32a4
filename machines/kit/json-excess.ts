/** Limits on a JSON text from outside, checked before it is parsed. */
export interface JsonBounds {
  /** Nesting of objects and lists. */
  readonly depth: number;
  /** Opening brackets, commas and colons outside strings: at most two per value, one more per container. */
  readonly tokens: number;
}

/**
 * Bounds by sender. A million tokens of the worst shape (objects with a different key each) cost V8 70 MB and half a
 * second on a small panel (measured with Node 20); 50 levels with half a million brackets cost as much.
 */
export const jsonBounds = {
  /** Request bodies: the largest is a list of 50,000 entity ids. */
  body: { depth: 64, tokens: 100_000 },
  /** Home Assistant: its entity registry has about 60 tokens a row, so 16,000 entities fit. */
  homeAssistant: { depth: 100, tokens: 1_000_000 },
  /** Payloads of commands, limited to 4096 characters. */
  mqtt: { depth: 100, tokens: 4096 },
  /** Other programs on this machine: the browser, whose pages are not ours, tools, another agent. */
  program: { depth: 100, tokens: 200_000 },
} as const satisfies Readonly<Record<string, JsonBounds>>;

/** Which limit a text exceeds, and at which byte of its UTF-8 form, counted from 0. */
export interface JsonExcess {
  readonly kind: 'too-deep' | 'too-many';
  readonly at: number;
}

/** Checks a text while it arrives. */
export interface JsonJudge {
  /** Null while the text is within bounds; after an excess the result stays the same. */
  readonly take: (chunk: Uint8Array | string) => JsonExcess | null;
  /** Tokens so far. */
  readonly tokens: () => number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
/** With this bit set, `[` becomes `{` and `]` becomes `}`; no other byte becomes either. */
const AS_OBJECT = 0x20;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** Longer texts are checked in slices of this many UTF-16 units, which keeps the copy small. */
const SLICE_UNITS = 65_536;

/** The end of a slice that begins at `from`: never inside a surrogate pair. */
function sliceEnd(text: string, from: number): number {
  const end = from + SLICE_UNITS;
  return (text.charCodeAt(end - 1) & 0xfc00) === 0xd800 ? end + 1 : end;
}

/**
 * The index after the string that contains `from`: length + 1 if the string continues in the next chunk, length + 2 if
 * the first byte there is escaped.
 */
function stringEnd(chunk: Uint8Array, from: number): number {
  let at = from;
  for (const end = chunk.length; at < end; at += 1) {
    const byte = chunk[at];
    if (byte === QUOTE) return at + 1;
    if (byte === BACKSLASH) at += 1;
  }
  return at + 1;
}

/**
 * Checks the nesting and tokens of one JSON text without parsing it. Invalid JSON may pass: `JSON.parse` stops at the
 * first error, and up to there it sees the same strings and brackets. UTF-8 has none of these bytes inside a longer
 * character.
 */
export function jsonJudge({ depth: deepest, tokens: most }: JsonBounds): JsonJudge {
  let depth = 0;
  let tokens = 0;
  let judged = 0;
  let inString = false;
  let isEscaped = false;
  let excess: JsonExcess | null = null;

  const takeBytes = (chunk: Uint8Array): void => {
    const end = chunk.length;
    let at = inString ? stringEnd(chunk, isEscaped ? 1 : 0) : 0;
    // Local variables: those of the closure make the loop half as fast.
    let [levels, count] = [depth, tokens];
    while (at < end && count <= most && levels <= deepest) {
      const byte = chunk[at] ?? 0;
      at += 1;
      if (byte === QUOTE) at = stringEnd(chunk, at);
      else if (byte === COMMA || byte === COLON) count += 1;
      else if ((byte | AS_OBJECT) === OPEN) {
        count += 1;
        levels += 1;
      } else if ((byte | AS_OBJECT) === CLOSE) levels -= 1;
    }
    if (levels > deepest) excess = { kind: 'too-deep', at: judged + at - 1 };
    else if (count > most) excess = { kind: 'too-many', at: judged + at - 1 };
    inString = at > end;
    isEscaped = at > end + 1;
    judged += end;
    depth = levels;
    tokens = count;
  };
  const takeText = (text: string): void => {
    const encoder = new TextEncoder();
    for (let from = 0; from < text.length;) {
      const to = sliceEnd(text, from);
      takeBytes(encoder.encode(text.slice(from, to)));
      if (excess !== null) return;
      from = to;
    }
  };
  return {
    take: (chunk) => {
      if (excess !== null) return excess;
      if (typeof chunk === 'string') takeText(chunk);
      else takeBytes(chunk);
      return excess;
    },
    tokens: () => tokens,
  };
}

/** Which limit a whole text exceeds; null if it may be parsed. */
export const jsonExcess = (text: Uint8Array | string, bounds: JsonBounds): JsonExcess | null =>
  jsonJudge(bounds).take(text);
