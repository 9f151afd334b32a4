/** How much a JSON text from outside may hold before it is parsed. */
export interface JsonBounds {
  /** Objects and lists inside one another. */
  readonly depth: number;
  /** Opening brackets, commas and colons outside strings: at most two for each value, one more for each container. */
  readonly tokens: number;
}

/**
 * Bounds by sender. A million tokens of the worst shape (objects that each have another key) cost V8 70 MB and half a
 * second on a small panel (measured with Node 20), one of 50 levels and half a million brackets as much.
 */
export const jsonBounds = {
  /** Request bodies: the largest is a list of 50,000 entity ids. */
  body: { depth: 64, tokens: 100_000 },
  /** Home Assistant: its entity registry has some 60 tokens a row, so that 16,000 entities fit. */
  homeAssistant: { depth: 100, tokens: 1_000_000 },
  /** Payloads of commands, which are bounded to 4096 characters. */
  mqtt: { depth: 100, tokens: 4096 },
  /** Other programs on this machine: the browser, whose pages are foreign, tools, another agent. */
  program: { depth: 100, tokens: 200_000 },
} as const satisfies Readonly<Record<string, JsonBounds>>;

/** What a text has too much of, and at which byte of its UTF-8 form, counted from 0. */
export interface JsonExcess {
  readonly kind: 'too-deep' | 'too-many';
  readonly at: number;
}

/** Judges a text while it arrives. */
export interface JsonJudge {
  /** Null while what came is within the bounds; after an excess the answer stays the same. */
  readonly take: (chunk: Uint8Array | string) => JsonExcess | null;
  /** Tokens so far. */
  readonly tokens: () => number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
/** With this bit `[` reads as `{` and `]` as `}`; no other byte comes to either. */
const AS_OBJECT = 0x20;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** A longer text is judged in slices of so many UTF-16 units, which keeps its copy small. */
const SLICE_UNITS = 65_536;

/** Where a slice that begins there ends: never between the halves of a character. */
function sliceEnd(text: string, from: number): number {
  const end = from + SLICE_UNITS;
  return (text.charCodeAt(end - 1) & 0xfc00) === 0xd800 ? end + 1 : end;
}

/**
 * The index after the string that `from` is in. One that goes on in the next chunk ends one beyond the length of this
 * one, two beyond where the first byte of the next is escaped.
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
 * Judges the nesting and the tokens of one JSON text without parsing it. What is no JSON may pass: `JSON.parse` stops
 * at its first fault, and up to there strings and brackets are what they are here. UTF-8 has none of these bytes inside
 * a longer character.
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
    // In variables of its own: those of the closure make the loop half as fast.
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

/** What a whole text has too much of; null where it may be parsed. */
export const jsonExcess = (text: Uint8Array | string, bounds: JsonBounds): JsonExcess | null =>
  jsonJudge(bounds).take(text);
