import { closestRows } from '../kit/closest-name.ts';
import { canonicalHomePath, sectionOf } from '../kit/home-path.ts';
import { joinWords } from '../kit/join-words.ts';
import { refuse, ok, type Result } from '../kit/result.ts';

/** What Home Assistant lists for the signed-in user. */
export interface ListedPages {
  readonly dashboards: readonly { readonly path: string; readonly title: string }[];
  /** The first part of every path that the user may open, dashboard or not. */
  readonly sections: readonly string[];
}

/** Most dashboards named in a refusal. */
const NAMED = 3;
/** Longest part of a path or title to compare, in characters, and most dashboards: the time grows with all three. */
const LONGEST = 64;
const COMPARED = 100;

/** True if a path can be entered as it is shown: foreign text may hold anything. */
function isPlain(path: string): boolean {
  const canonical = canonicalHomePath(path);
  return canonical.ok && canonical.value === path;
}

/** The page to look up in Home Assistant before `value` is saved as the home dashboard; null if there is none. */
export function pageToLookUp(value: unknown, saved: unknown): string | null {
  if (typeof value !== 'string') return null;
  const path = canonicalHomePath(value.trim());
  if (!path.ok || path.value === saved || sectionOf(path.value) === '') return null;
  return sectionOf(path.value);
}

/** Judges a page by the list of Home Assistant; the message names the nearest dashboards. */
export function judgeHomeChoice(section: string, { dashboards, sections }: ListedPages): Result<null, 'unknown'> {
  if (sections.includes(section)) return ok(null);
  const word = section.slice(0, LONGEST).toLowerCase();
  const cut = (name: string): string => name.slice(0, LONGEST);
  const offered = dashboards.slice(0, COMPARED).filter(({ path }) => isPlain(`/${path}`));
  const near = closestRows(word, offered, ({ path, title }) => [cut(path), cut(title)], NAMED).map(
    ({ path }) => `/${path}`,
  );
  const offer =
    near.length === 0 ? '' : ` ${near.length === 1 ? 'The nearest is' : 'The nearest are'} ${joinWords(near)}.`;
  return refuse(
    'unknown',
    `Home dashboard must be a page that Home Assistant has and this user may open; it has none with this path.${offer}`,
  );
}
