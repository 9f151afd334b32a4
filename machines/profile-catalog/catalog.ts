import type { EpochMs } from '../kit/units.ts';
import { type ActivationRecord, type ProfileRef, refOf, rollbackOf, sameRef } from './activation.ts';
import type { BootIssue } from './boot.ts';
import type { ProfileIssue, ProfileSummary } from './reading.ts';
import type { CatalogIssue, ProfileCatalog, RevisionState } from './listing.ts';
import { issueSentence, noticeOf } from './sentences.ts';

/** One readable revision. */
export interface KnownRevision {
  readonly summary: ProfileSummary;
  readonly matches: boolean;
}

/** Input of the list. */
export interface CatalogFacts {
  readonly record: ActivationRecord;
  /** The decision of this start. */
  readonly boot: {
    readonly active: ProfileRef | null;
    readonly commandLine: boolean;
    readonly issues: readonly BootIssue[];
    readonly startedAt: EpochMs;
  };
  /** The profile that matches this machine; null if none does. */
  readonly matched: ProfileRef | null;
  readonly revisions: readonly KnownRevision[];
  /** Unusable files in the catalogue's folder. */
  readonly unusable: readonly CatalogIssue[];
}

const refOfSummary = ({ id, revision }: ProfileSummary): ProfileRef => ({ id, revision });

function stateOf(facts: CatalogFacts, pending: ProfileRef | null, summary: ProfileSummary): RevisionState {
  const { record, boot } = facts;
  const is = (other: ProfileRef | null): boolean => other !== null && sameRef(refOfSummary(summary), other);
  if (is(pending)) return 'pending';
  if (is(boot.active)) return 'active';
  if (is(record.proven) || is(refOf(rollbackOf(record)))) return 'last-known-good';
  if (is(refOf(record.setback?.selection ?? null))) return 'rolled-back';
  return summary.origin === 'bundled' ? 'bundled' : 'inactive';
}

/**
 * An update of Sconce replaces the bytes of its profiles: the running revision of that id then counts as the selected
 * one.
 */
const fallbackOf = (
  ref: ProfileRef | null,
  active: ProfileRef | null,
  revisions: readonly KnownRevision[],
): ProfileRef | null =>
  ref !== null && ref.id === active?.id && !revisions.some(({ summary }) => sameRef(summary, ref)) ? active : ref;

function selectionOf({ record, boot, matched, revisions }: CatalogFacts): ProfileCatalog['selection'] {
  if (boot.commandLine)
    return { mode: 'command_line', id: boot.active?.id ?? null, revision: boot.active?.revision ?? null };
  const ref = fallbackOf(refOf(record.selection) ?? matched, boot.active, revisions);
  return { mode: record.selection.mode, id: ref?.id ?? null, revision: ref?.revision ?? null };
}

function activationOf({ record, boot }: CatalogFacts): ProfileCatalog['activation'] {
  const { trial, setback } = record;
  if (trial !== null && !boot.commandLine)
    return {
      state: 'trial',
      since: trial.since,
      reason: trial.attempts === 0 ? 'restart-due' : 'not-proven-yet',
      detail:
        trial.attempts === 0
          ? 'The agent is about to restart with the selected profile.'
          : 'The selected profile is being tried; it is kept once it has worked for a while.',
    };
  if (setback !== null)
    return {
      state: 'rolled_back',
      since: setback.at,
      reason: setback.reason,
      detail: noticeOf(setback.reason, refOf(setback.selection)?.id ?? null),
    };
  return { state: 'active', since: record.since === 0 ? boot.startedAt : record.since, reason: null, detail: null };
}

/** The catalogue as a list: the bundled profiles first, then the local revisions by id. */
export function catalogView(facts: CatalogFacts): ProfileCatalog {
  const { record, boot, matched } = facts;
  const pending = record.trial === null || boot.commandLine ? null : (refOf(record.selection) ?? matched);
  const selection = selectionOf(facts);
  const back = rollbackOf(record);
  const order = ({ summary }: KnownRevision): string =>
    `${summary.origin === 'bundled' ? 0 : 1} ${summary.id} ${summary.version} ${summary.revision}`;
  return {
    catalog_revision: record.generation,
    selection,
    active: boot.active,
    pending,
    last_known_good: record.proven,
    rollback_to: back === null ? null : (refOf(back) ?? 'auto'),
    activation: activationOf(facts),
    issues: [...boot.issues.map((code) => ({ code, ref: null, message: issueSentence(code) })), ...facts.unusable],
    profiles: facts.revisions
      .toSorted((a, b) => (order(a) < order(b) ? -1 : 1))
      .map(({ summary, matches }) => ({
        ...summary,
        state: stateOf(facts, pending, summary),
        matches_this_device: matches,
        selected: selection.id === summary.id && selection.revision === summary.revision,
      })),
  };
}

/** The catalogue's issue for an unusable profile. */
export const unusableIssue = (
  ref: ProfileRef,
  code: 'revision-damaged' | 'revision-invalid',
  issues: readonly ProfileIssue[] = [],
): CatalogIssue => ({
  code,
  ref,
  message: code === 'revision-damaged' ? issueSentence(code) : (issues[0]?.message ?? issueSentence(code)),
});
