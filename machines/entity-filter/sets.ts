import { MOST_ISSUES } from './configured.ts';
import { type Issue, type Learned, type Member, MOST_DASHBOARDS, MOST_IDS } from './persisted.ts';
import { issueOf } from './fingerprint.ts';
import { ownField } from '../kit/own-field.ts';

/** Whether the frontend itself reads this entity, so that every set holds it (dashboard-facts 5). */
export const isAlways = (entityId: string): boolean =>
  entityId === 'sun.sun' || /^(?:person|update|zone)\./.test(entityId);

/** What every set holds of what exists. */
export const alwaysOf = (existing: readonly string[]): readonly string[] => existing.filter(isAlways);

/** Whether a member belongs to its dashboard's set: the owner's word comes first. */
export const isWanted = ({ entityId, override, evidence }: Member): boolean =>
  override !== 'forced_exclude' && (override === 'pinned' || evidence.length > 0 || isAlways(entityId));

/** The ids of a dashboard's set, sorted, whether it is sent them or not; `existing` adds what every set holds of it. */
export function wantedOf({ members }: Pick<Learned, 'members'>, existing: readonly string[] = []): readonly string[] {
  const ids = members.filter(isWanted).map(({ entityId }) => entityId);
  if (existing.length === 0) return ids;
  const refused = new Set(members.flatMap((member) => (isWanted(member) ? [] : [member.entityId])));
  return [...new Set([...ids, ...alwaysOf(existing).filter((id) => !refused.has(id))])].toSorted();
}

/** Fingerprints of what blocks and is not ignored. */
export function blocksOf({ issues, ignored }: Pick<Learned, 'issues' | 'ignored'>): readonly string[] {
  const allowed = new Set(ignored);
  return issues.flatMap(({ blocks, fingerprint }) => (blocks && !allowed.has(fingerprint) ? [fingerprint] : []));
}

/** Whether two lists of ids are the same. */
export const sameIds = (a: readonly string[] | null, b: readonly string[] | null): boolean =>
  a === b || (a !== null && b !== null && a.length === b.length && a.every((id, at) => id === b[at]));

/**
 * The dashboard with the set that it is to be sent: none while something blocks; what is wanted where nothing does;
 * where all that blocks is ignored, what is wanted once the owner has activated it.
 */
export function renewed(learned: Learned): Learned {
  const isBlocked = blocksOf(learned).length > 0;
  const waits = learned.active === null && learned.issues.some(({ blocks }) => blocks);
  const active = isBlocked || waits ? null : wantedOf(learned);
  return sameIds(active, learned.active) ? learned : { ...learned, active };
}

/** A dashboard of which more was found than fits: the owner's word alone is kept of it, and it is not filtered. */
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

/** The dashboard with these members, sorted, and its set renewed; unfiltered where they are more than `MOST_IDS`. */
export function withMembers(learned: Learned, members: Iterable<Member>): Learned {
  const sorted = [...members].toSorted((a, b) => (a.entityId < b.entityId ? -1 : 1));
  const next = { ...learned, members: sorted };
  return sorted.length > MOST_IDS ? overfull(next) : renewed(next);
}

/** The ids that a dashboard is sent; null for all. A path may be named as what every object has, `constructor`. */
export const setOf = (
  sets: Readonly<Record<string, readonly string[]>> | null,
  dashboard: string | null,
): readonly string[] | null => (sets === null || dashboard === null ? null : (ownField(sets, dashboard) ?? null));

/** How many members dashboards have together. */
export const membersIn = (dashboards: readonly Learned[]): number =>
  dashboards.reduce((sum, { members }) => sum + members.length, 0);

/** The same dashboards with what one of them has come to; one that grew beyond what is left is not filtered. */
export function replaced(dashboards: readonly Learned[], after: Learned): readonly Learned[] {
  const next = dashboards.map((one) => (one.dashboard === after.dashboard ? after : one));
  if (membersIn(next) <= MOST_IDS) return next;
  return next.map((one) => (one === after ? overfull(after) : one));
}

/**
 * The dashboards of an account that are kept, of a list with the newest first: `MOST_DASHBOARDS`, and of these in full
 * as many as have `MOST_IDS` members together; one that does not fit is not filtered.
 */
export function withinBounds(dashboards: readonly Learned[]): readonly Learned[] {
  let room = MOST_IDS;
  return dashboards.slice(0, MOST_DASHBOARDS).map((learned) => {
    const fits = learned.members.length <= room;
    if (fits) room -= learned.members.length;
    return fits ? learned : overfull(learned);
  });
}
