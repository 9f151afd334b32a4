import { MOST_ISSUES } from './configured.ts';
import { type Issue, type Learned, type Member, MOST_DASHBOARDS, MOST_IDS } from './persisted.ts';
import { issueOf } from './fingerprint.ts';
import { ownField } from '../kit/own-field.ts';

/** True if the frontend itself reads this entity, so that it belongs to every set (seen with frontend 20261028). */
export const isAlways = (entityId: string): boolean =>
  entityId === 'sun.sun' || /^(?:person|update|zone)\./.test(entityId);

export const alwaysOf = (existing: readonly string[]): readonly string[] => existing.filter(isAlways);

/** True if a member belongs to its dashboard's set; the owner's decision takes precedence. */
export const isWanted = ({ entityId, override, evidence }: Member): boolean =>
  override !== 'forced_exclude' && (override === 'pinned' || evidence.length > 0 || isAlways(entityId));

/**
 * The sorted ids of a dashboard's learned set, in force or not. With `existing`, adds the entities that belong to every
 * set.
 */
export function wantedOf({ members }: Pick<Learned, 'members'>, existing: readonly string[] = []): readonly string[] {
  const ids = members.filter(isWanted).map(({ entityId }) => entityId);
  if (existing.length === 0) return ids;
  const refused = new Set(members.flatMap((member) => (isWanted(member) ? [] : [member.entityId])));
  return [...new Set([...ids, ...alwaysOf(existing).filter((id) => !refused.has(id))])].toSorted();
}

/** Fingerprints of blocking issues that are not ignored. */
export function blocksOf({ issues, ignored }: Pick<Learned, 'issues' | 'ignored'>): readonly string[] {
  const allowed = new Set(ignored);
  return issues.flatMap(({ blocks, fingerprint }) => (blocks && !allowed.has(fingerprint) ? [fingerprint] : []));
}

export const sameIds = (a: readonly string[] | null, b: readonly string[] | null): boolean =>
  a === b || (a !== null && b !== null && a.length === b.length && a.every((id, at) => id === b[at]));

/**
 * Recomputes the set in force: none while an issue blocks; the learned set while none does. If all blocking issues are
 * ignored, the learned set applies once the owner has activated it.
 */
export function renewed(learned: Learned): Learned {
  const isBlocked = blocksOf(learned).length > 0;
  const waits = learned.active === null && learned.issues.some(({ blocks }) => blocks);
  const active = isBlocked || waits ? null : wantedOf(learned);
  return sameIds(active, learned.active) ? learned : { ...learned, active };
}

/** A dashboard that exceeds the limits: only the owner's decisions are kept, and it is unfiltered. */
function overfull(learned: Learned): Learned {
  const tooMany = issueOf(learned.dashboard, 'too-large', { view: null, card: null });
  const isOther = ({ fingerprint }: Issue): boolean => fingerprint !== tooMany.fingerprint;
  return {
    ...learned,
    members: learned.members.filter(({ override }) => override !== 'auto'),
    issues: [tooMany, ...learned.issues.filter(isOther)].slice(0, MOST_ISSUES),
    ignored: learned.ignored.filter((fingerprint) => fingerprint !== tooMany.fingerprint),
    active: null,
  };
}

/** Replaces the members, sorted, and recomputes the set; more than `MOST_IDS` leave the dashboard unfiltered. */
export function withMembers(learned: Learned, members: Iterable<Member>): Learned {
  const sorted = [...members].toSorted((a, b) => (a.entityId < b.entityId ? -1 : 1));
  const next = { ...learned, members: sorted };
  return sorted.length > MOST_IDS ? overfull(next) : renewed(next);
}

/** The ids that a dashboard receives; null for all. Looks up own fields only, since a path may be `constructor`. */
export const setOf = (
  sets: Readonly<Record<string, readonly string[]>> | null,
  dashboard: string | null,
): readonly string[] | null => (sets === null || dashboard === null ? null : (ownField(sets, dashboard) ?? null));

/** Total number of members of these dashboards. */
export const membersIn = (dashboards: readonly Learned[]): number =>
  dashboards.reduce((sum, { members }) => sum + members.length, 0);

/** Replaces one dashboard in place; if the total then exceeds `MOST_IDS`, that dashboard is unfiltered. */
export function replaced(dashboards: readonly Learned[], after: Learned): readonly Learned[] {
  const next = dashboards.map((one) => (one.dashboard === after.dashboard ? after : one));
  if (membersIn(next) <= MOST_IDS) return next;
  return next.map((one) => (one === after ? overfull(after) : one));
}

/**
 * Limits an account's dashboards, newest first: at most `MOST_DASHBOARDS`, with at most `MOST_IDS` members in total.
 * One that does not fit is kept unfiltered.
 */
export function withinBounds(dashboards: readonly Learned[]): readonly Learned[] {
  let room = MOST_IDS;
  return dashboards.slice(0, MOST_DASHBOARDS).map((learned) => {
    const fits = learned.members.length <= room;
    if (fits) room -= learned.members.length;
    return fits ? learned : overfull(learned);
  });
}
