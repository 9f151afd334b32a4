import { canonicalHomePath } from '../kit/home-path.ts';
import { ok, refuse, type Result } from '../kit/result.ts';

/** In characters. */
const LONGEST = 4096;

function originOf(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/**
 * Parses a text into the path to show: a path of Home Assistant, or a full URL of Home Assistant's own origin, reduced
 * to its path. Everything else is refused; the message never repeats the text.
 */
export function admitPath(text: string, origin: string | null): Result<string, 'bad-path'> {
  const wanted = text.trim();
  if (wanted === '')
    return refuse('bad-path', 'The path is empty. Name a page of Home Assistant, such as /lovelace/hallway.');
  if (wanted.length > LONGEST) return refuse('bad-path', `The path is longer than ${LONGEST} characters.`);
  let local = wanted;
  if (/^https?:\/\//i.test(wanted)) {
    const url = originOf(wanted);
    if (url === null || origin === null || url.origin !== origin || url.username !== '' || url.password !== '') {
      return refuse(
        'bad-path',
        'The path leads to another address. Only pages of this panel’s own Home Assistant can be shown.',
      );
    }
    local = `${url.pathname}${url.search}${url.hash}`;
  }
  const path = canonicalHomePath(local);
  if (!path.ok) return refuse('bad-path', `The path ${path.message}.`);
  return ok(path.value === '' ? '/' : path.value);
}
