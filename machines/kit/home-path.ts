import { ok, refuse } from './result.ts';
import type { Result } from './result.ts';

/** Longest dashboard path in characters (as panel-assistant). */
export const HOME_PATH_LENGTH = 2048;

/** The first segment of a path, which names the dashboard whatever its view; "" for Home Assistant's start page. */
export const sectionOf = (path: string): string => /^\/([^/?#]*)/.exec(path)?.[1] ?? '';

// Any origin will do: only the path is kept.
const BASE = 'http://panel.invalid';
// oxlint-disable-next-line no-control-regex -- refusing control characters is the purpose
const REFUSED = /[\u0000-\u0020\u007f\\]/;

/**
 * The canonical form of a path on Home Assistant: absolute, dot segments resolved, percent-encoded, no slash at the
 * end; "/" and "" are "" (Home Assistant's own start page). A full URL or `//host` is refused: the path must stay on
 * Home Assistant.
 */
export function canonicalHomePath(text: string): Result<string, 'not-local' | 'characters' | 'too-long'> {
  if (text === '') return ok('');
  if (REFUSED.test(text)) return refuse('characters', 'must not hold spaces or backslashes; write a space as %20');
  if (/^[a-z][a-z0-9+.-]*:/i.test(text) || text.startsWith('//')) {
    return refuse(
      'not-local',
      'must be a path on Home Assistant, such as /lovelace/hallway, without http:// and the host',
    );
  }
  let url: URL;
  try {
    url = new URL(text.startsWith('/') ? text : `/${text}`, BASE);
  } catch {
    return refuse('characters', 'must be a path on Home Assistant, such as /lovelace/hallway');
  }
  if (url.origin !== BASE || url.pathname.startsWith('//')) {
    return refuse('not-local', 'must be a path on Home Assistant, such as /lovelace/hallway');
  }
  const path = url.pathname.replace(/\/+$/, '') + url.search + url.hash;
  return path.length > HOME_PATH_LENGTH
    ? refuse('too-long', `must be at most ${HOME_PATH_LENGTH} characters long once encoded`)
    : ok(path === '' ? '' : path.startsWith('/') ? path : `/${path}`);
}
