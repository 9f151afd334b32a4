/** A content coding (RFC 9110, section 8.4.1; `br` is RFC 7932). */
export type ContentCoding = 'br' | 'gzip';

/** The shortest text to compress, in bytes: a smaller one fits into one packet anyway. */
export const shortestCoded = 1024;

/** Compressible media types; not an event stream, because a coding would delay its events. */
const compressible =
  /^(?:text\/(?!event-stream\b)|application\/(?:json|yaml|javascript)\b|[^;]*\+(?:json|xml|yaml)\b)/i;

/** True if compression shortens this media type: text, but neither pictures nor sound. */
export const isCompressible = (type: string): boolean => compressible.test(type);

/** A weight as RFC 9110 writes it (section 12.4.2): 0 to 1 with at most three decimals. */
const weight = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** One element of Accept-Encoding with its weight; 0 for a malformed weight. */
function elementOf(text: string): readonly [string, number] {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const coding = name === 'x-gzip' ? 'gzip' : name;
  if (parameters.length === 0) return [coding, 1];
  const value = /^q=(.*)$/.exec(parameters[0] ?? '')?.[1] ?? '';
  return [coding, parameters.length === 1 && weight.test(value) ? Number(value) : 0];
}

/**
 * The coding that the client prefers, null for none (RFC 9110, section 12.5.3); of equal ones the first offered. A
 * client that accepts nothing we have, not even plain text, gets plain text.
 */
export function codingFor(acceptEncoding: string | undefined, offered: readonly ContentCoding[]): ContentCoding | null {
  if (acceptEncoding === undefined) return null;
  const weights = new Map<string, number>();
  for (const element of acceptEncoding.split(',')) {
    const [coding, value] = elementOf(element);
    // If named twice, the smaller weight counts: plain text is never wrong.
    weights.set(coding, Math.min(value, weights.get(coding) ?? 1));
  }
  const weightOf = (coding: ContentCoding): number => weights.get(coding) ?? weights.get('*') ?? 0;
  const [best] = offered.toSorted((a, b) => weightOf(b) - weightOf(a));
  if (best === undefined || weightOf(best) === 0) return null;
  return weightOf(best) >= (weights.get('identity') ?? 0) ? best : null;
}
