import type { SecurityMode } from '#machines/approvals/events.ts';
import { assignmentsAfter, type Bringing, movedSecrets } from '#machines/settings/assign.ts';
import { consentKeys } from '#machines/settings/consents.ts';
import type { MergeOutcome, RecipientChange, SettingsEvent } from '#machines/settings/events.ts';
import { type Changes, mergeSettings } from '#machines/settings/merge.ts';
import { withoutMarks } from '#machines/settings/provision.ts';
import { publicFacts } from '#machines/settings/stored.ts';
import type { Approved } from '#machines/settings/unapproved.ts';
import { descriptorOf } from '#machines/settings.ts';

import { afterChanges, type Before, unchanged } from './before.ts';

export type Merge = Extract<SettingsEvent, { readonly type: 'settings.merge' }>;

/** What else than the save itself decides about it. */
export interface Judging {
  readonly bring: Bringing;
  readonly mode: SecurityMode | null;
  /** What was turned off after the save arrived. */
  readonly since: readonly string[];
}

/** What a save is approved for. */
export const approvedFor = ({ own, consent, admitted = [] }: Merge, mode: SecurityMode | null): Approved => ({
  consent,
  // The agent's own writes are asked for where they are decided.
  admitted: own !== undefined || mode === 'relaxed' ? 'all' : admitted,
});

/** Why what a save turns on stays off all the same, by setting; null if nothing does. */
function staysOff(
  { values }: Pick<Changes, 'values'>,
  installId: string | null,
  since: readonly string[],
): Readonly<Record<string, string>> | null {
  const reasons = consentKeys
    .filter((key) => values[key] === true)
    .flatMap((key): readonly (readonly [string, string])[] => {
      const label = descriptorOf(key)?.label ?? key;
      if (since.includes(key)) return [[key, `${label} was turned off since.`]];
      return installId === null ? [[key, `${label}: this panel is still starting. Ask once more in a minute.`]] : [];
    });
  return reasons.length === 0 ? null : Object.fromEntries(reasons);
}

/** Judges a save on top of what is stored: its outcome, and what would be stored then. */
export function judgeMerge(
  before: Before,
  merge: Merge,
  { bring, mode, since }: Judging,
): { readonly outcome: MergeOutcome; readonly after: Before; readonly change: RecipientChange | null } {
  const { patch, own, from, expectDigest } = merge;
  const { configuration } = before.read;
  const { digest } = publicFacts(before.read);
  if (expectDigest !== undefined && expectDigest !== digest)
    return { outcome: { status: 'stale', digest }, after: before, change: null };
  const judged = mergeSettings(configuration, patch, own, approvedFor(merge, mode));
  if (judged.status === 'refused') return { outcome: judged, after: before, change: null };
  const [changes, applied] = judged.status === 'saved' ? [judged.changes, judged.applied] : [unchanged, []];
  const reasons = staysOff(changes, before.installId, since);
  if (reasons !== null) return { outcome: { status: 'refused', reasons }, after: before, change: null };
  const { configuration: next } = afterChanges(before, changes).read;
  const known = { configuration, assignments: before.assignments };
  const assignments = assignmentsAfter(known, next, judged.brought, bring);
  const reassigned = judged.brought.filter((key) => assignments.get(key) !== before.assignments.get(key));
  const all = [...new Set([...applied, ...reassigned])];
  if (all.length === 0) return { outcome: { status: 'no-op' }, after: before, change: null };
  // A credential that goes because its address changed was not removed by a person: the command line may give it again.
  const orphaned = judged.status === 'saved' ? judged.orphaned : [];
  const isMoved = orphaned.length > 0 || movedSecrets(before.assignments, assignments).length > 0;
  return {
    outcome: { status: 'saved', applied: all, ...(orphaned.length > 0 && { cleared: orphaned }) },
    after: afterChanges(before, changes, { assignments, finish: (settings) => withoutMarks(settings, orphaned) }),
    change: isMoved ? { at: bring.at, code: 'moved', from: from ?? null } : null,
  };
}
