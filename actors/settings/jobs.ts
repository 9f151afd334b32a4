import { freshKey, keyedDigest } from '#drivers/kit/keyed-digest.ts';
import type { RecordedFile } from '#drivers/store/recorded-file.ts';
import type { SecurityMode } from '#machines/approvals/events.ts';
import { unassigned } from '#machines/kit/recipient.ts';
import type { EpochMs } from '#machines/kit/units.ts';
import { assignmentsAfter, type Bringing, upgradedAssignments } from '#machines/settings/assign.ts';
import { boundBefore } from '#machines/settings/bound-before.ts';
import { consentsSection } from '#machines/settings/consents.ts';
import type {
  AssignOutcome,
  AssignRequest,
  MergeOutcome,
  ProvisionOutcome,
  RecipientChange,
} from '#machines/settings/events.ts';
import { mergeSettings } from '#machines/settings/merge.ts';
import { type GivenMarks, judgeProvision, readMarks, withMarks } from '#machines/settings/provision.ts';
import { secretKeys } from '#machines/settings/redact.ts';
import type { ReadSettings, StoredSettings } from '#machines/settings/stored.ts';

import { type Asking, commitSections, readSection } from '../kit/stored-section.ts';
import { afterChanges, type Before, readBefore, unchanged, withoutConsents } from './before.ts';
import { judgeMerge, type Merge } from './judge-merge.ts';
import type { Offs } from './offs.ts';
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

/** What the writer tells its jobs. */
export interface JobScope {
  /** Called before each commit. */
  readonly onCommit: () => void;
  /** The install id of this machine; null while it does not know itself. */
  readonly installId: () => string | null;
  readonly offs: Offs;
}

/** The result of a job; `read` is null if the store did not answer. */
export interface Written<O> {
  readonly outcome: O;
  readonly read: ReadSettings | null;
  readonly change?: RecipientChange | null;
}

const failed = (reason: string) => ({ outcome: { status: 'commit-failed' as const, reason }, read: null });

/** The outcome of a save that the disk refused: what it turned off is off all the same. */
function unsavedOutcome(reason: string, off: readonly string[]): MergeOutcome {
  return { status: 'commit-failed', reason, ...(off.length > 0 && { off }) };
}

/** The outcome of a save that had turned off some settings when it arrived. */
function withOff(outcome: MergeOutcome, off: readonly string[]): MergeOutcome {
  if (off.length === 0) return outcome;
  if (outcome.status === 'no-op') return { status: 'saved', applied: off };
  return outcome.status === 'saved' ? { ...outcome, applied: [...new Set([...outcome.applied, ...off])] } : outcome;
}

/** Joined saves: the outcome of each, and what is in force afterwards. */
export type Merged = Written<readonly MergeOutcome[]>;

/**
 * The jobs of the writer. `onCommit` is called before each commit. Each job starts from what the store holds, even
 * after a commit that went unanswered.
 */
export function writerJobs({ registry, now, mode, recorded: file }: JobDeps, { onCommit, installId, offs }: JobScope) {
  // Read at the first job: an agent that only probes the machine has no such file.
  let contents: RecordedContents | null = null;
  const recorded = (): RecordedContents => (contents ??= recordedContents(file));

  /** Makes the sections durable, in one step; null on success, else the reason. */
  const commit = async (before: Before, { stored, consents, read, assignments }: Before): Promise<string | null> => {
    onCommit();
    const isSame = JSON.stringify(before.consents) === JSON.stringify(consents);
    const sections = { ...stored, ...(!isSame && { consents: consentsSection(consents) }) };
    // Recorded before the secret gets its recipient: an interruption in between sends it to no other recipient.
    return (
      recorded().keep(read.configuration.secrets, assignments, readMarks(stored.settings)) ??
      (await commitSections(registry, sections))
    );
  };
  const unsaved = (reason: string, merge: Merge): MergeOutcome => unsavedOutcome(reason, offs.offOf(merge));
  const readNow = (): Promise<Before | null> => readBefore(registry, installId());
  const bringing = (by: Bringing['by'], recipients?: Bringing['recipients']): Bringing => ({
    by,
    at: now(),
    id: freshKey(),
    ...(recipients !== undefined && { recipients }),
  });

  return {
    /** Reads what is stored, and gives each secret of an earlier version its recipient, once. */
    upgrade: async (): Promise<Written<null> | null> => {
      const before = await readNow();
      if (before === null) return null;
      const { read } = before;
      const isOlder = Object.keys(read.configuration.secrets).some((key) => !before.assignments.has(key));
      if (!isOlder || file === null) return { outcome: null, read };
      const legacy = await readSection(registry, 'broker');
      if (legacy === undefined) return null;
      const bring = bringing('upgrade');
      const upgraded = upgradedAssignments(read.configuration, boundBefore(legacy), bring);
      const assignments = new Map([...upgraded, ...before.assignments]);
      const after = afterChanges(before, unchanged, { revision: read.revision, assignments });
      // A disk that refuses does not stop the panel from starting: its secrets wait for the next start or a
      // confirmation.
      if ((await commit(before, after)) !== null) return { outcome: null, read };
      await commitSections(registry, { broker: null });
      return { outcome: null, read, change: { at: bring.at, code: 'upgraded', from: null } };
    },
    /** True if some setting that needs a consent has one, of whatever machine; null if the store does not answer. */
    hasConsents: async (): Promise<boolean | null> => {
      const before = await readNow();
      return before === null ? null : Object.keys(before.consents).length > 0;
    },
    /**
     * Judges each save on top of the one before, and commits them together with what was turned off before they
     * arrived.
     */
    mergeAll: async (merges: readonly Merge[]): Promise<Merged> => {
      const written = offs.pending();
      const stored = await readNow();
      if (stored === null) return { outcome: merges.map((merge) => unsaved('store-silent', merge)), read: null };
      // Nothing has to be written for what the disk has as off.
      offs.settle(new Map([...written].filter(([key]) => stored.consents[key] === undefined)));
      let current = withoutConsents(stored, written);
      let change: RecipientChange | null = null;
      let firstSaved = current === stored ? merges.length : 0;
      const outcomes = merges.map((merge, index): MergeOutcome => {
        const judging = { bring: bringing('save'), mode: mode(), since: offs.since(merge) };
        const judged = judgeMerge(current, merge, judging);
        if (judged.outcome.status === 'saved') {
          firstSaved = Math.min(firstSaved, index);
          change = judged.change ?? change;
          current = judged.after;
        }
        return withOff(judged.outcome, offs.offOf(merge));
      });
      const failure = current === stored ? null : await commit(stored, current);
      if (failure === null) {
        offs.settle(written);
        return { outcome: outcomes, read: current.read, ...(current !== stored && { change }) };
      }
      // Saves that were judged on top of a failed one assumed values that never were in force.
      const outcome = merges.map((merge, index) =>
        index < firstSaved ? (outcomes[index] ?? unsaved(failure, merge)) : unsaved(failure, merge),
      );
      return { outcome, read: null };
    },
    assign: async ({ key, id, recipient, code, from }: AssignRequest): Promise<Written<AssignOutcome>> => {
      const before = await readNow();
      if (before === null) return failed('store-silent');
      const known = before.assignments.get(key) ?? unassigned;
      if (known.id !== id || before.read.configuration.secrets[key] === undefined)
        return { outcome: { status: 'changed' }, read: before.read };
      const assignments = new Map([...before.assignments, [key, { ...known, recipient }]]);
      // The settings themselves did not change, so their revision stays.
      const after = afterChanges(before, unchanged, { revision: before.read.revision, assignments });
      const failure = await commit(before, after);
      if (failure !== null) return failed(failure);
      return { outcome: { status: 'assigned' }, read: before.read, change: { at: now(), code, from } };
    },
    /** Applies the values of a command line, and stores the marks that recognise them the next time. */
    provision: async (values: Readonly<Record<string, unknown>>): Promise<Written<ProvisionOutcome>> => {
      const before = await readNow();
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
      const { configuration: after } = afterChanges(before, changes).read;
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
      const finish = (settings: StoredSettings['settings']): StoredSettings['settings'] => withMarks(settings, next);
      const saved = afterChanges(before, changes, { revision: raised, assignments, finish });
      const failure = await commit(before, saved);
      return failure === null ? { outcome, read: saved.read } : failed(failure);
    },
  };
}
