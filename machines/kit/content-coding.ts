/** A shorter form in which a text may travel (RFC 9110, section 8.4.1; `br` is RFC 7932). */
export type ContentCoding = 'br' | 'gzip';

/** The shortest text, in bytes, that travels in a shorter form: a smaller one fits into one packet as it is. */
export const shortestCoded = 1024;

/** Types of media that become shorter; an event stream is none, because a coding would hold its events back. */
const compressible =
  /^(?:text\/(?!event-stream\b)|application\/(?:json|yaml|javascript)\b|[^;]*\+(?:json|xml|yaml)\b)/i;

/** Whether an answer of this media type gets shorter by a coding: text does, pictures and sound do not. */
export const isCompressible = (type: string): boolean => compressible.test(type);

/** A weight as RFC 9110 writes it (section 12.4.2): 0 to 1 with at most three digits behind the point. */
const weight = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** One element of Accept-Encoding with its weight; what is not written by the standard is not accepted. */
function elementOf(text: string): readonly [string, number] {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const coding = name === 'x-gzip' ? 'gzip' : name;
  if (parameters.length === 0) return [coding, 1];
  const value = /^q=(.*)$/.exec(parameters[0] ?? '')?.[1] ?? '';
  return [coding, parameters.length === 1 && weight.test(value) ? Number(value) : 0];
}

/**
 * The coding in which the client would have the answer, null for none (RFC 9110, section 12.5.3); of equal ones the
 * first offered. A client that accepts nothing we have, not even the plain text, gets the plain text.
 */
export function codingFor(acceptEncoding: string | undefined, offered: readonly ContentCoding[]): ContentCoding | null {
  if (acceptEncoding === undefined) return null;
  const weights = new Map<string, number>();
  for (const element of acceptEncoding.split(',')) {
    const [coding, value] = elementOf(element);
    // Named twice, the smaller weight counts: the plain text is never wrong.
    weights.set(coding, Math.min(value, weights.get(coding) ?? 1));
  }
  const weightOf = (coding: ContentCoding): number => weights.get(coding) ?? weights.get('*') ?? 0;
  const [best] = offered.toSorted((a, b) => weightOf(b) - weightOf(a));
  if (best === undefined || weightOf(best) === 0) return null;
  return weightOf(best) >= (weights.get('identity') ?? 0) ? best : null;
}
