import { freshKey, keyedDigest } from '#drivers/kit/keyed-digest.ts';
import type { RecordedFile } from '#drivers/store/recorded-file.ts';
import type { SecurityMode } from '#machines/approvals/events.ts';
import { type Assignments, readAssignments, unassigned } from '#machines/kit/recipient.ts';
import type { EpochMs } from '#machines/kit/units.ts';
import { assignmentsAfter, type Bringing, movedSecrets, upgradedAssignments } from '#machines/settings/assign.ts';
import { secretKeys } from '#machines/settings/redact.ts';
import { boundBefore } from '#machines/settings/bound-before.ts';
import type {
  AssignOutcome,
  AssignRequest,
  MergeOutcome,
  ProvisionOutcome,
  RecipientChange,
  SettingsEvent,
} from '#machines/settings/events.ts';
import { type Changes, mergeSettings } from '#machines/settings/merge.ts';
import { type GivenMarks, judgeProvision, readMarks, withMarks, withoutMarks } from '#machines/settings/provision.ts';
import {
  publicFacts,
  readStored,
  type ReadSettings,
  type StoredSettings,
  withChanges,
} from '#machines/settings/stored.ts';

import { type Asking, commitSections, readSection, readSections } from '../kit/stored-section.ts';
import { type RecordedContents, recordedContents } from './recorded-contents.ts';

export interface JobDeps {
  readonly registry: Asking;
  readonly now: () => EpochMs;
  /** The security mode, or the last one that was known; null before the first, which counts as Hardened. */
  readonly mode: () => SecurityMode | null;
  /**
   * The file that records whom the contents of credential files were for; null for an agent that only probes the
   * machine.
   */
  readonly recorded: RecordedFile | null;
}

/** The stored sections, and their meaning. */
interface Before {
  readonly stored: StoredSettings;
  readonly read: ReadSettings;
  readonly assignments: Assignments;
}

/** The result of a job; `read` is null if the store did not answer. */
export interface Written<O> {
  readonly outcome: O;
  readonly read: ReadSettings | null;
  readonly change?: RecipientChange | null;
}

const unchanged: Changes = { values: {}, secrets: {}, expose: {} };
const failed = (reason: string) => ({ outcome: { status: 'commit-failed' as const, reason }, read: null });

const fieldsOf = (section: unknown): Readonly<Record<string, unknown>> =>
  typeof section === 'object' && section !== null && !Array.isArray(section)
    ? Object.fromEntries(Object.entries(section))
    : {};

/** The two sections as stored; null if the store does not answer. */
async function readBefore(registry: Asking): Promise<Before | null> {
  const sections = await readSections(registry, ['settings', 'secrets']);
  if (sections === undefined) return null;
  const { settings, secrets } = sections;
  const stored = { settings: fieldsOf(settings), secrets: fieldsOf(secrets) };
  return { stored, read: readStored(stored), assignments: readAssignments(secrets) };
}

/** Judges a save on top of what is stored: its outcome, and what would be stored then. */
function judgeMerge(
  before: Before,
  { patch, own, from, consent, admitted = [], expectDigest }: Merge,
  { bring, isHardened }: { readonly bring: Bringing; readonly isHardened: boolean },
): { readonly outcome: MergeOutcome; readonly after: Before; readonly change: RecipientChange | null } {
  const { configuration, revision } = before.read;
  const { digest } = publicFacts(before.read);
  if (expectDigest !== undefined && expectDigest !== digest)
    return { outcome: { status: 'stale', digest }, after: before, change: null };
  // The agent's own writes are asked for where they are decided.
  const isOpen = own !== undefined || !isHardened;
  const judged = mergeSettings(configuration, patch, own, { consent, admitted: isOpen ? 'all' : admitted });
  if (judged.status === 'refused') return { outcome: judged, after: before, change: null };
  const [changes, applied] = judged.status === 'saved' ? [judged.changes, judged.applied] : [unchanged, []];
  const { configuration: next } = readStored(withChanges(before.stored, changes, revision + 1));
  const known = { configuration, assignments: before.assignments };
  const assignments = assignmentsAfter(known, next, judged.brought, bring);
  const reassigned = judged.brought.filter((key) => assignments.get(key) !== before.assignments.get(key));
  const all = [...new Set([...applied, ...reassigned])];
  if (all.length === 0) return { outcome: { status: 'no-op' }, after: before, change: null };
  const after = withChanges(before.stored, changes, revision + 1, assignments);
  // A credential that goes because its address changed was not removed by a person: the command line may give it again.
  const orphaned = judged.status === 'saved' ? judged.orphaned : [];
  const stored = { ...after, settings: withoutMarks(after.settings, orphaned) };
  const isMoved = orphaned.length > 0 || movedSecrets(before.assignments, assignments).length > 0;
  return {
    outcome: { status: 'saved', applied: all, ...(orphaned.length > 0 && { cleared: orphaned }) },
    after: { stored, read: readStored(stored), assignments: readAssignments(stored.secrets) },
    change: isMoved ? { at: bring.at, code: 'moved', from: from ?? null } : null,
  };
}

export type Merge = Extract<SettingsEvent, { readonly type: 'settings.merge' }>;

/** Joined saves: the outcome of each, and what is in force afterwards. */
export type Merged = Written<readonly MergeOutcome[]>;

/**
 * The jobs of the writer. `onCommit` is called before each commit. Each job starts from what the store holds, even
 * after a commit that went unanswered.
 */
export function writerJobs({ registry, now, mode, recorded: file }: JobDeps, onCommit: () => void) {
  // Read at the first job: an agent that only probes the machine has no such file.
  let contents: RecordedContents | null = null;
  const recorded = (): RecordedContents => (contents ??= recordedContents(file));

  /** Makes the sections durable; null on success, else the reason. */
  const commit = async (
    { settings, secrets }: StoredSettings,
    assignments: Assignments,
    marks: GivenMarks | null,
  ): Promise<string | null> => {
    onCommit();
    const { configuration } = readStored({ settings, secrets });
    // Recorded before the secret gets its recipient: an interruption in between sends it to no other recipient.
    return (
      recorded().keep(configuration.secrets, assignments, marks) ??
      (await commitSections(registry, { settings, secrets }))
    );
  };
  const bringing = (by: Bringing['by'], recipients?: Bringing['recipients']): Bringing => ({
    by,
    at: now(),
    id: freshKey(),
    ...(recipients !== undefined && { recipients }),
  });

  return {
    /** Gives each secret of an earlier version its recipient, once. */
    upgrade: async (): Promise<Written<null> | null> => {
      const before = await readBefore(registry);
      if (before === null) return null;
      const { read, stored } = before;
      const isOlder = Object.keys(read.configuration.secrets).some((key) => !before.assignments.has(key));
      if (!isOlder || file === null) return { outcome: null, read };
      const legacy = await readSection(registry, 'broker');
      if (legacy === undefined) return null;
      const bring = bringing('upgrade');
      const upgraded = upgradedAssignments(read.configuration, boundBefore(legacy), bring);
      const assignments = new Map([...upgraded, ...before.assignments]);
      const marks = readMarks(stored.settings);
      const failure = await commit(withChanges(stored, unchanged, read.revision, assignments), assignments, marks);
      // A disk that refuses does not stop the panel from starting: its secrets wait for the next start or a
      // confirmation.
      if (failure !== null) return { outcome: null, read };
      await commitSections(registry, { broker: null });
      return { outcome: null, read, change: { at: bring.at, code: 'upgraded', from: null } };
    },
    /** Judges each save on top of the one before, and commits them together. */
    mergeAll: async (merges: readonly Merge[]): Promise<Merged> => {
      const stored = await readBefore(registry);
      if (stored === null) return { outcome: merges.map(() => failed('store-silent').outcome), read: null };
      let current = stored;
      let change: RecipientChange | null = null;
      let firstSaved = merges.length;
      const outcomes = merges.map((command, index): MergeOutcome => {
        const judged = judgeMerge(current, command, { bring: bringing('save'), isHardened: mode() !== 'relaxed' });
        if (judged.outcome.status !== 'saved') return judged.outcome;
        firstSaved = Math.min(firstSaved, index);
        change = judged.change ?? change;
        current = judged.after;
        return judged.outcome;
      });
      if (firstSaved === merges.length) return { outcome: outcomes, read: stored.read };
      const { settings, secrets } = current.stored;
      const failure = await commit({ settings, secrets }, current.assignments, readMarks(settings));
      if (failure === null) return { outcome: outcomes, read: current.read, change };
      // Saves that were judged on top of a failed one assumed values that never were in force.
      const refused = failed(failure).outcome;
      return { outcome: outcomes.map((outcome, index) => (index < firstSaved ? outcome : refused)), read: null };
    },
    assign: async ({ key, id, recipient, code, from }: AssignRequest): Promise<Written<AssignOutcome>> => {
      const before = await readBefore(registry);
      if (before === null) return failed('store-silent');
      const known = before.assignments.get(key) ?? unassigned;
      if (known.id !== id || before.read.configuration.secrets[key] === undefined)
        return { outcome: { status: 'changed' }, read: before.read };
      const assignments = new Map([...before.assignments, [key, { ...known, recipient }]]);
      const marks = readMarks(before.stored.settings);
      // The settings themselves did not change, so their revision stays.
      const after = withChanges(before.stored, unchanged, before.read.revision, assignments);
      const failure = await commit(after, assignments, marks);
      if (failure !== null) return failed(failure);
      return { outcome: { status: 'assigned' }, read: before.read, change: { at: now(), code, from } };
    },
    /** Applies the values of a command line, and stores the marks that recognise them the next time. */
    provision: async (values: Readonly<Record<string, unknown>>): Promise<Written<ProvisionOutcome>> => {
      const before = await readBefore(registry);
      if (before === null) return failed('store-silent');
      const { configuration, revision } = before.read;
      const announced = await readSection(registry, 'announced');
      if (announced === undefined) return failed('store-silent');
      const { key, marks }: GivenMarks = readMarks(before.stored.settings) ?? { key: freshKey(), marks: {} };
      const judged = judgeProvision(
        configuration,
        values,
        (name, value) => (marks[name] === undefined ? null : marks[name] === keyedDigest(key, name, value)),
        recorded().recipientOf,
        announced,
      );
      if (judged.status === 'refused') return { outcome: judged, read: before.read };
      const merged = mergeSettings(configuration, judged.patch);
      if (merged.status === 'refused') return { outcome: merged, read: before.read };
      const [changes, applied] = merged.status === 'saved' ? [merged.changes, merged.applied] : [unchanged, []];
      const { configuration: after } = readStored(withChanges(before.stored, changes, revision + 1));
      const assignments = assignmentsAfter(
        { configuration, assignments: before.assignments },
        after,
        merged.brought,
        bringing('file', judged.recipients),
      );
      // A credential whose address was missing was never applied: once the address is back, it is.
      const isHere = (name: string): boolean => !secretKeys.has(name) || after.secrets[name] !== undefined;
      const here = Object.entries(judged.wanted).filter(([name]) => isHere(name));
      const given = here.map(([name, value]): readonly [string, string] => [
        name,
        keyedDigest(key, name, String(value)),
      ]);
      const next: GivenMarks = { key, marks: { ...marks, ...Object.fromEntries(given) } };
      const { kept, unaddressed } = judged;
      const reassigned = merged.brought.filter((name) => assignments.get(name) !== before.assignments.get(name));
      const all = [...new Set([...applied, ...reassigned])];
      const outcome = { status: 'provisioned' as const, applied: all, kept, unaddressed };
      if (all.length === 0 && given.every(([name, mark]) => marks[name] === mark))
        return { outcome, read: before.read };
      const raised = revision + (all.length === 0 ? 0 : 1);
      const { settings, secrets } = withChanges(before.stored, changes, raised, assignments);
      const stored = { settings: withMarks(settings, next), secrets };
      const failure = await commit(stored, assignments, next);
      return failure === null ? { outcome, read: readStored(stored) } : failed(failure);
    },
  };
}
