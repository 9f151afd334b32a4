import { isEntityId } from '../kit/entity-id.ts';
import { configuredOf, MOST_EVIDENCE, MOST_ISSUES } from './configured.ts';
import type { FilterOutcome, ScanInput } from './events.ts';
import {
  type Evidence,
  type Learned,
  type Member,
  MOST_IDS,
  NAME_LENGTH,
  type Override,
  type Policy,
} from './persisted.ts';
import type { EpochMs } from '../kit/units.ts';
import { issueOf } from './fingerprint.ts';
import { alwaysOf, blocksOf, isAlways, isWanted, renewed, sameIds, wantedOf, withMembers } from './sets.ts';

/** Consecutive scans without evidence after which a member is dropped (as panel-assistant). */
export const MOST_MISSES = 3;
/** Files kept per dashboard whose code iterates over all entities. */
const MOST_FILES = 16;
/** Maximum length of the name of such a file, in characters. */
export const FILE_LENGTH = 100;

type Refusal = Extract<FilterOutcome, { readonly ok: false }>;

const refused = (reason: Refusal['reason'], message: string): Refusal => ({ ok: false, reason, message });

const isFixed = ({ source }: Evidence): boolean => source === 'configuration' || source === 'target';

const newMember = (entityId: string): Member => ({ entityId, override: 'auto', evidence: [], misses: 0, exists: true });

/** A member that the scan did not find: it keeps its last evidence until the third miss. */
function missed(member: Member): Member {
  const misses = Math.min(member.misses + 1, MOST_MISSES);
  return { ...member, misses, evidence: misses < MOST_MISSES ? member.evidence : [] };
}

/**
 * True if the scan counts as a miss. For a member that only code reads, it counts only if the configuration has
 * changed: the page reports a state when it first reads it and again when its set lost it, so silence says nothing
 * while the dashboard is the same. For a member that was only opened, every scan counts.
 */
const isMissed = ({ evidence }: Member, isChanged: boolean): boolean =>
  isChanged || evidence.length === 0 || evidence.some((one) => one.source !== 'read');

/** A member after a scan; null if dropped. */
function afterOneScan(
  before: Member,
  found: readonly Evidence[] | undefined,
  { auto_static: fixed, auto_runtime: runtime }: Policy,
  isChanged: boolean,
): Member | null {
  const runtimeEvidence = before.evidence.filter((one) => !isFixed(one) && runtime);
  const member = runtime ? before : { ...before, evidence: before.evidence.filter(isFixed) };
  if (found !== undefined) {
    const reasons = fixed ? found.slice(0, MOST_EVIDENCE - runtimeEvidence.length) : [];
    return { ...member, evidence: [...reasons, ...runtimeEvidence], misses: 0 };
  }
  if (!isMissed(member, isChanged)) return member;
  const next = missed(member);
  return next.misses < MOST_MISSES || next.override !== 'auto' ? next : null;
}

/** True if the scan found other ids than the one before. */
function changes(learned: Learned, found: ReadonlyMap<string, unknown>): boolean {
  const before = learned.members.filter(({ misses, evidence }) => misses === 0 && evidence.some(isFixed));
  return before.length !== found.size || before.some(({ entityId }) => !found.has(entityId));
}

/** The member with its name of now; a missing entity keeps the one it had. */
function named(member: Member, name: string | undefined): Member {
  if (name === undefined) return member;
  const { name: _, ...unnamed } = member;
  return name === '' ? unnamed : { ...unnamed, name: name.slice(0, NAME_LENGTH) };
}

/** Updates a dashboard after a scan of its configuration. */
export function afterScan(learned: Learned, scan: ScanInput, policy: Policy, at: EpochMs): Learned {
  const { found, issues } = configuredOf(scan);
  const existing = new Map(scan.existing.map((id, index) => [id, scan.names[index] ?? '']));
  const isChanged = policy.auto_static && changes(learned, found);
  const members = new Map(learned.members.map((member) => [member.entityId, member]));
  for (const id of [...found.keys(), ...alwaysOf(scan.existing)]) if (!members.has(id)) members.set(id, newMember(id));
  const next = [...members.values()].flatMap((before): readonly Member[] => {
    const { entityId } = before;
    const exists = existing.has(entityId);
    // Entities that belong to every set need no evidence.
    const reasons = found.get(entityId) ?? (isAlways(entityId) && exists ? [] : undefined);
    const after = afterOneScan(before, reasons, policy, isChanged);
    return after === null ? [] : [named({ ...after, exists }, existing.get(entityId))];
  });
  const files = learned.issues.filter(({ kind }) => kind === 'enumerating-code');
  return withMembers(
    { ...learned, scannedAt: at, existing: existing.size, issues: [...files, ...issues].slice(0, MOST_ISSUES) },
    next,
  );
}

/** A member that the page read or whose dialog was opened. One that was missed loses its former evidence. */
function observedOnce(member: Member, source: 'read' | 'opened', policy: Policy): Member {
  if (!policy.auto_runtime)
    return member.misses === 0 || member.evidence.length > 0 ? member : { ...member, misses: 0 };
  const kept = member.misses === 0 ? member.evidence : [];
  if (kept.some((one) => one.source === source)) return member;
  const evidence: readonly Evidence[] = [...kept, { source, place: null }];
  const runtime = evidence.filter((one) => !isFixed(one));
  const fixed = evidence.filter(isFixed).slice(0, MOST_EVIDENCE - runtime.length);
  return { ...member, misses: 0, evidence: [...fixed, ...runtime] };
}

function afterObserved(learned: Learned, ids: readonly string[], source: 'read' | 'opened', policy: Policy): Learned {
  const members = new Map(learned.members.map((member) => [member.entityId, member]));
  let isChanged = false;
  for (const id of ids) {
    if (!isEntityId(id)) continue;
    const before = members.get(id);
    const after = observedOnce(before ?? newMember(id), source, policy);
    if (after === before) continue;
    isChanged = true;
    members.set(id, after);
  }
  return isChanged ? withMembers(learned, members.values()) : learned;
}

/** Adds entities that the page read; they are in its set at once. */
export const afterRead = (learned: Learned, ids: readonly string[], policy: Policy): Learned =>
  afterObserved(learned, ids, 'read', policy);

/** Adds an entity whose dialog was opened; it is in its set at once. */
export const afterOpened = (learned: Learned, entityId: string, policy: Policy): Learned =>
  afterObserved(learned, [entityId], 'opened', policy);

/**
 * Notes that the code of a file iterated over all entities, which blocks until it is ignored or the dashboard is reset.
 */
export function afterEnumerated(learned: Learned, file: string): Learned {
  const issue = issueOf(learned.dashboard, 'enumerating-code', { view: null, card: null }, file.slice(0, FILE_LENGTH));
  const files = learned.issues.filter(({ kind }) => kind === 'enumerating-code');
  if (files.length >= MOST_FILES || files.some(({ fingerprint }) => fingerprint === issue.fingerprint)) return learned;
  return renewed({ ...learned, issues: [issue, ...learned.issues].slice(0, MOST_ISSUES) });
}

const isObserved = ({ evidence }: Member): boolean => evidence.some((one) => !isFixed(one));

/**
 * True if an override needs a confirmation: the page or the frontend reads the entity, Home Assistant does not have it,
 * or the dashboard did not know it, which may be a typing error.
 */
const isRisky = (member: Member, isNew: boolean, override: Override): boolean =>
  override === 'pinned'
    ? isNew || !member.exists
    : override === 'forced_exclude' && (!member.exists || isObserved(member) || isAlways(member.entityId));

/** Applies the owner's decision on entities; `candidates` means all members outside the set. */
export function withOverride(
  learned: Learned,
  entityIds: readonly string[] | 'candidates',
  override: Override,
  force: boolean,
): { readonly ok: true; readonly learned: Learned } | Refusal {
  const members = new Map(learned.members.map((member) => [member.entityId, member]));
  const ids =
    entityIds === 'candidates'
      ? learned.members.flatMap((one) => (one.override === 'auto' && !isWanted(one) ? [one.entityId] : []))
      : entityIds;
  const changed: Member[] = [];
  const risks: string[] = [];
  for (const id of ids) {
    // For a new id, only the next scan can tell if Home Assistant has it.
    const known = members.get(id);
    const before = known ?? (override === 'auto' ? undefined : newMember(id));
    if (before === undefined || !isEntityId(id))
      return refused('unknown', `${quotedId(id)} is not an entity of this dashboard.`);
    const isNew = known === undefined;
    if (isRisky(before, isNew, override)) risks.push(riskOf(before, isNew));
    changed.push({ ...before, override });
  }
  if (!force && risks.length > 0) return refused('confirm', risksOf(risks));
  for (const member of changed) members.set(member.entityId, member);
  if (members.size > MOST_IDS) return refused('too-many', `At most ${MOST_IDS} entities fit.`);
  // Members that only the owner added are removed with the owner's decision.
  const kept = [...members.values()].filter((one) => one.override !== 'auto' || one.misses < MOST_MISSES);
  return { ok: true, learned: withMembers(learned, kept) };
}

const quotedId = (id: string): string => JSON.stringify(id.slice(0, 64));

function riskOf({ entityId, exists }: Member, isNew: boolean): string {
  if (isNew) return `Nothing on this dashboard names ${entityId}. Check in Home Assistant that this is its id.`;
  return exists
    ? `The dashboard reads ${entityId}: without it a card may stay empty.`
    : `Home Assistant did not have ${entityId} at the newest scan.`;
}

/** The first of several reasons to confirm, and the number of further ones. */
function risksOf([first = '', ...more]: readonly string[]): string {
  if (more.length === 0) return first;
  const others = more.length === 1 ? 'One more of them needs' : `${more.length} more of them need`;
  return `${first} ${others} a second look too.`;
}

/** Applies the owner's decision on an issue; an unknown fingerprint changes nothing. */
export function withDecision(learned: Learned, fingerprint: string, ignored: boolean): Learned {
  const others = learned.ignored.filter((one) => one !== fingerprint);
  return renewed({ ...learned, ignored: ignored ? [...others, fingerprint].slice(-MOST_ISSUES) : others });
}

/** True if an activation changes what the dashboard receives. */
export const needsConfirmation = (learned: Learned): boolean =>
  blocksOf(learned).length === 0 && !sameIds(learned.active, wantedOf(learned));

/** Puts the learned set into force; refused while an issue blocks that is not ignored. */
export const withActivation = (learned: Learned): Learned | Refusal =>
  blocksOf(learned).length > 0
    ? refused('not-ready', 'Something keeps the dashboard from being filtered: see its issues.')
    : { ...learned, active: wantedOf(learned) };
