import { foreignValue } from '../kit/foreign-json.ts';
import { jsonBounds } from '../kit/json-excess.ts';

/** The characters that end an address in running text: white space, control characters, quotes and angle brackets. */
const IN_TEXT = /https?:\/\/[^\s"'<>\p{Cc}]+/iu;

/** A text that is one address as a whole, which may contain anything that the WHATWG URL parser accepts. */
const WHOLE = /^https?:\/\//i;

function usable(text: string): string | null {
  try {
    return new URL(text).href;
  } catch {
    return null;
  }
}

function objectOf(text: string): object | null {
  if (!text.startsWith('{')) return null;
  const parsed = foreignValue(text, jsonBounds.body);
  return typeof parsed === 'object' ? parsed : null;
}

function fieldOf(text: string): string | null {
  // If it is not JSON after all, the first address in it counts (as in panel-assistant).
  const parsed = objectOf(text);
  return parsed !== null && 'url' in parsed && typeof parsed.url === 'string' ? parsed.url.trim() : null;
}

/** True if the body of `/play` is a JSON object, whatever its content type. */
export const isJsonObject = (body: string): boolean => objectOf(body.trim()) !== null;

/**
 * The address in the body of `/play`: the whole body, the field `url` of a JSON object, otherwise the first http or
 * https address in the text (as in panel-assistant), or the field `url` of a form; null if there is none.
 */
export function findUrl(body: string): string | null {
  const text = body.trim();
  const wanted = fieldOf(text) ?? text;
  if (WHOLE.test(wanted) && !/[\n\r]/.test(wanted)) {
    const whole = usable(wanted);
    if (whole !== null) return whole;
  }
  // A form percent-encodes its address, so the text contains none.
  const [first] = IN_TEXT.exec(wanted) ?? [new URLSearchParams(text).get('url')?.trim() ?? ''];
  return WHOLE.test(first) ? usable(first) : null;
}
