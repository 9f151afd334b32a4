import type { Context } from 'hono';
import type { Env } from './route-spec.ts';

/** Every value of a header as it was sent; a character stands for each byte. */
export function rawHeaders(c: Context<Env>, name: string): readonly string[] {
  const head = c.env.incoming?.rawHeaders;
  if (head === undefined) {
    const sent = c.req.header(name);
    return sent === undefined ? [] : [sent];
  }
  const values: string[] = [];
  for (let index = 0; index + 1 < head.length; index += 2)
    if (head[index]?.toLowerCase() === name.toLowerCase()) values.push(head[index + 1] ?? '');
  return values;
}

/** The text whose UTF-8 bytes a header has; null if they are not UTF-8. */
export function utf8Of(value: string): string | null {
  const bytes = Uint8Array.from(value, (character) => character.charCodeAt(0));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
