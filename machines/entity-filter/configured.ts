import { isEntityId } from '../kit/entity-id.ts';
import { domainOf, enumerates, isEnergy, type Part } from './wildcard-cards.ts';
import { type Evidence, type Issue, type IssueKind, MOST_IDS } from './persisted.ts';
import type { ScanInput } from './events.ts';
import type { Place, Source } from './persisted.ts';
import { isBlocking, issueOf } from './fingerprint.ts';
import { type TargetKind, targetKindOf, targetsOf } from './targets.ts';

/**
 * Limits for walking a configuration: its depth and its number of values. A configuration beyond them is not filtered.
 */
export const DEEPEST = 64;
export const MOST_VALUES = 200_000;
/** Reasons kept per entity. */
export const MOST_EVIDENCE = 3;
/** Issues kept per dashboard; blocking ones come first. */
export const MOST_ISSUES = 500;
/** Maximum length of a view's name or a card's kind in a place, in characters. */
export const PLACE_LENGTH = 100;

/** What the configuration of a dashboard names. */
export interface Configured {
  readonly found: ReadonlyMap<string, readonly Evidence[]>;
  readonly issues: readonly Issue[];
}

/** True for keys whose values are entity ids, even of entities that Home Assistant does not have (`camera_entity`). */
const isEntityKey = (key: string): boolean =>
  key === 'camera_image' || key === 'badges' || /^(?!exclude_)(?:.*_)?entit(?:y|ies)(?:_ids?)?(?:_\d+)?$/.test(key);

/**
 * Keys whose values look like ids but are not shown: actions, since `script.good_night` is also an entity. Files such
 * as `plan.png` under `image` need no key here: they are the id of no existing entity.
 */
const otherKeys: ReadonlySet<string> = new Set([
  'action',
  'service',
  'perform_action',
  'type',
  'icon',
  'navigation_path',
  'url_path',
  'url',
  'theme',
]);

/** Keys that contain cards. */
const cardKeys: ReadonlySet<string> = new Set(['card', 'cards', 'badges']);

/** One value of the configuration, with its position. */
interface Value {
  readonly value: unknown;
  /** Its key; for a list item, the key of the list. */
  readonly key: string;
  /** True if text here is an entity id even if no such entity exists. */
  readonly named: boolean;
  readonly depth: number;
  readonly place: Place;
}

const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null && !Array.isArray(value);

const short = (text: unknown): string | null =>
  typeof text === 'string' && text !== '' ? text.slice(0, PLACE_LENGTH) : null;

/** Collects what was found, in the order of the configuration. */
function notes(dashboard: string) {
  const found = new Map<string, Evidence[]>();
  const issues = new Map<string, readonly [IssueKind, Place, string | null]>();
  return {
    found,
    add: (id: string, source: Source, place: Place): void => {
      const reasons = found.get(id);
      if (reasons === undefined) found.set(id, [{ source, place }]);
      else if (
        reasons.length < MOST_EVIDENCE &&
        !reasons.some((one) => one.source === source && one.place?.view === place.view && one.place.card === place.card)
      )
        reasons.push({ source, place });
    },
    /** A missing id is one issue, however often it occurs; any other kind is one issue per place. */
    raise: (kind: IssueKind, place: Place, subject: string | null = null): void => {
      const key = kind === 'missing' ? `${kind} ${subject}` : JSON.stringify([kind, place.view, place.card]);
      if (!issues.has(key)) issues.set(key, [kind, place, subject]);
    },
    issues: (): readonly Issue[] => {
      const rank = ([kind]: readonly [IssueKind, ...unknown[]]): number =>
        isBlocking(kind) ? 0 : kind === 'template' ? 1 : 2;
      return [...issues.values()]
        .toSorted((a, b) => rank(a) - rank(b))
        .slice(0, MOST_ISSUES)
        .map((issue) => issueOf(dashboard, ...issue));
    },
  };
}

/** Ids within a longer text: each pair of neighbours of its dotted words that forms an existing id. */
const idsWithin = (text: string, existing: ReadonlySet<string>): readonly string[] =>
  (text.match(/[a-z0-9_.]+/g) ?? []).flatMap((words) => {
    const parts = words.split('.');
    return parts.slice(1).flatMap((object, at) => {
      const id = `${parts[at]}.${object}`;
      return existing.has(id) ? [id] : [];
    });
  });

/** The part of a list that is walked; a longer one exceeds `MOST_VALUES` anyway. */
const bounded = (list: readonly unknown[]): readonly unknown[] => list.slice(0, MOST_VALUES + 1);

/** The views of a dashboard and everything beside them, each with its place. */
function partsOf({ views, ...beside }: Part): readonly Value[] {
  const root: Value = { value: beside, key: '', named: false, depth: 1, place: { view: null, card: null } };
  if (!Array.isArray(views)) return [{ ...root, value: { ...beside, views } }];
  const within = bounded(views).map((view: unknown, number): Value => {
    const name = isPart(view) ? (short(view['title']) ?? short(view['path'])) : null;
    return { ...root, value: view, key: 'views', depth: 2, place: { view: name ?? String(number), card: null } };
  });
  return [...within, root];
}

const madeByStrategy = (part: unknown): boolean => isPart(part) && (part['strategy'] ?? null) !== null;

/**
 * What the configuration of a dashboard names: entities with the reasons for each, and issues. Any text that is an id
 * as a whole counts unless its key says otherwise; within longer text every existing id counts. Beyond `MOST_VALUES` or
 * `DEEPEST` a blocking issue is raised, so that an incomplete set is never used.
 */
export function configuredOf(scan: ScanInput): Configured {
  const { found, add, raise, issues } = notes(scan.dashboard);
  const { configuration } = scan;
  if (!scan.isDashboard) return { found, issues: [] };
  if (!isPart(configuration)) {
    raise('strategy', { view: null, card: null });
    return { found, issues: issues() };
  }
  const existing = new Set(scan.existing);
  const targets = targetsOf(scan, existing);
  const parts = partsOf(configuration);
  if (madeByStrategy(configuration)) raise('strategy', { view: null, card: null });
  // In a house with more than `MOST_IDS`, neither what exists nor where a target leads is known completely.
  if ([scan.existing, scan.entities, scan.devices].some(({ length }) => length > MOST_IDS))
    raise('too-large', { view: null, card: null });
  for (const { value, place } of parts) {
    if (place.view === null || !isPart(value)) continue;
    const sections: unknown = value['sections'];
    if (madeByStrategy(value) || (Array.isArray(sections) && sections.some(madeByStrategy))) raise('strategy', place);
  }

  /**
   * Places where each target was resolved; beyond `MOST_EVIDENCE` no more reasons are kept, so it is not resolved
   * again.
   */
  const resolved = new Map<string, Set<string>>();
  const isNew = (target: string, place: Place): boolean => {
    const places = resolved.get(target) ?? new Set();
    resolved.set(target, places);
    const name = JSON.stringify(place);
    if (places.size >= MOST_EVIDENCE || places.has(name)) return false;
    places.add(name);
    return true;
  };
  const addAll = (what: string, ids: () => readonly string[], place: Place): void => {
    if (isNew(what, place)) for (const id of ids()) add(id, 'configuration', place);
  };
  const addTargets = (kind: TargetKind, value: unknown, place: Place): void => {
    for (const id of Array.isArray(value) ? bounded(value) : [value])
      if (typeof id === 'string' && isNew(`${kind} ${id}`, place))
        for (const entityId of targets(kind, id)) add(entityId, 'target', place);
  };

  const takeText = (text: string, { key, named, place }: Value): void => {
    if (text.includes('{{') || text.includes('{%')) raise('template', place);
    const ids = named ? text.split(',').map((id) => id.trim()) : [text.trim()];
    if (!ids.every(isEntityId)) {
      for (const id of idsWithin(text, existing)) add(id, 'configuration', place);
      return;
    }
    if (otherKeys.has(key)) return;
    for (const id of ids) {
      if (!named && !existing.has(id)) continue;
      add(id, 'configuration', place);
      if (!existing.has(id)) raise('missing', place, id);
    }
  };

  /** Notes what an object is and returns its contents. */
  const takePart = (part: Part, { key: under, depth, place: outer }: Value): readonly Value[] => {
    const kind = short(part['type']);
    const domain = kind === null ? null : domainOf(kind);
    const isCard = cardKeys.has(under) && (under !== 'badges' || outer.card === null);
    const place = isCard && kind !== null ? { ...outer, card: kind } : outer;
    if (kind !== null && enumerates(kind, part)) raise('enumerating-card', { ...outer, card: kind });
    if (kind !== null && isEnergy(kind)) addAll('energy', () => scan.energyIds, { ...outer, card: kind });
    if (domain !== null)
      addAll(domain, () => scan.existing.filter((id) => id.startsWith(`${domain}.`)), { ...outer, card: kind });
    return Object.entries(part).map(([key, value]) => {
      if (existing.has(key)) add(key, 'configuration', place);
      const target = targetKindOf(key);
      if (target !== undefined) addTargets(target, value, place);
      const named = isEntityKey(key) || (under === 'entities' && typeof value === 'string' && !otherKeys.has(key));
      return { value, key, named, depth: depth + 1, place };
    });
  };

  // The next value is taken from the end, so lists are pushed reversed; deep configurations need no call stack.
  const ahead = parts.toReversed();
  for (let values = 0; ahead.length > 0; values += 1) {
    const next = ahead.pop();
    if (next === undefined) break;
    const isTooDeep = next.depth > DEEPEST;
    if (values >= MOST_VALUES || isTooDeep) raise('too-large', { view: next.place.view, card: null });
    if (values >= MOST_VALUES) break;
    if (isTooDeep) continue;
    const { value } = next;
    if (typeof value === 'string') takeText(value, next);
    else if (Array.isArray(value))
      for (const item of bounded(value).toReversed()) ahead.push({ ...next, value: item, depth: next.depth + 1 });
    else if (isPart(value)) for (const part of takePart(value, next).toReversed()) ahead.push(part);
  }
  return { found, issues: issues() };
}
