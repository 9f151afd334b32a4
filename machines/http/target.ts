import { parseOrigin, type Authority } from './authority.ts';
import type { Target } from './events.ts';

const UNRESERVED = /[\w.~-]/;

// A percent sign without digits is encoded first: otherwise it could form a new code with digits that are decoded after
// it.
const decodeNeedless = (path: string): string =>
  path.replace(/%(?![0-9a-f]{2})/gi, '%25').replace(/%[0-9a-f]{2}/gi, (code) => {
    const char = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return UNRESERVED.test(char) ? char : code.toUpperCase();
  });

/** RFC 3986, section 5.2.4. */
function resolveDots(path: string): string {
  const kept: string[] = [];
  const segments = path.split('/').slice(1);
  for (const [index, segment] of segments.entries()) {
    const dots = segment === '.' || segment === '..';
    if (segment === '..') kept.pop();
    if (!dots) kept.push(segment);
    else if (index === segments.length - 1) kept.push('');
  }
  return `/${kept.join('/')}`;
}

/** A target without any of these is canonical already, as in nearly every request. */
const NEEDS_READING = /[%\\#]|\/\./;

function split(text: string): Target {
  if (!NEEDS_READING.test(text)) {
    const at = text.indexOf('?');
    return at === -1 ? { path: text, query: '' } : { path: text.slice(0, at), query: text.slice(at + 1) };
  }
  const whole = text.split('#', 1)[0] ?? '';
  const mark = whole.indexOf('?');
  const path = mark === -1 ? whole : whole.slice(0, mark);
  // URL parsers treat a backslash as a slash; encoded it stays a backslash.
  return {
    path: resolveDots(decodeNeedless(path.replaceAll('\\', '%5C'))),
    query: mark === -1 ? '' : whole.slice(mark + 1),
  };
}

/**
 * Parses a request target (RFC 9112, section 3.2): origin-form, or absolute-form with its authority. Null for the
 * asterisk-form, the authority-form and anything else.
 */
export function parseTarget(raw: string): (Target & { readonly authority: Authority | null }) | null {
  if (raw.startsWith('/')) return { ...split(raw), authority: null };
  const origin = parseOrigin(raw);
  if (origin === null || origin.scheme !== 'http') return null;
  const rest = raw.slice(raw.indexOf('://') + 3).replace(/^[^/?#]*/, '');
  return { ...split(rest.startsWith('/') ? rest : `/${rest}`), authority: origin.authority };
}
