import { fromDriver } from '#drivers/kit/from-driver.ts';
import { freshKey, keyedDigest } from '#drivers/kit/keyed-digest.ts';
import { serial } from '#drivers/kit/serial.ts';
import type { RecordedFile } from '#drivers/store/recorded-file.ts';
import { type Assignments, readAssignments } from '#machines/kit/recipient.ts';
import type { EpochMs } from '#machines/kit/units.ts';
import { assignmentsAfter, type Bringing, movedSecrets, upgradedAssignments } from '#machines/settings/assign.ts';
import { boundBefore } from '#machines/settings/bound-before.ts';
import type {
  AssignOutcome,
  AssignRequest,
  MergeOutcome,
  ProvisionOutcome,
  RecipientChange,
  WriterCommand,
  WriterFact,
} from '#machines/settings/events.ts';
import { type Changes, mergeSettings } from '#machines/settings/merge.ts';
import { type GivenMarks, judgeProvision, readMarks, withMarks } from '#machines/settings/provision.ts';
import { publicFacts, readStored, type ReadSettings, withChanges } from '#machines/settings/stored.ts';

import { type Asking, commitSections, readSection } from '../kit/stored-section.ts';
import { type RecordedContents, recordedContents } from './recorded-contents.ts';

/** What the writer of the settings is wired to. */
export interface WriterDeps {
  readonly registry: Asking;
  readonly now: () => EpochMs;
  /** Options whose files others can read. */
  readonly openFiles: readonly string[];
  /** Where it is kept whom the contents of files were for; null for an agent that only probes the machine. */
  readonly recorded: RecordedFile | null;
}

/** What is stored, and what it means. */
interface Before {
  readonly stored: { readonly settings: unknown; readonly secrets: unknown };
  readonly read: ReadSettings;
  readonly assignments: Assignments;
}

/** What became of a write; `read` is null where the store did not answer. */
interface Written<O> {
  readonly outcome: O;
  readonly read: ReadSettings | null;
  /** What happened to the recipient of a secret. */
  readonly change?: RecipientChange | null;
}

const unchanged: Changes = { values: {}, secrets: {}, expose: {} };
const failed = (reason: string) => ({ outcome: { status: 'commit-failed' as const, reason }, read: null });

/** The two sections as they are stored; null where the store does not answer. */
const readBefore = async (registry: Asking): Promise<Before | null> => {
  const [settings, secrets] = await Promise.all([readSection(registry, 'settings'), readSection(registry, 'secrets')]);
  if (settings === undefined || secrets === undefined) return null;
  const stored = { settings, secrets };
  return { stored, read: readStored(stored), assignments: readAssignments(secrets) ?? new Map() };
};

/** The jobs of the writer. Each starts from what the store holds, also after a commit that went unanswered. */
const writerJobs = ({ registry, now, recorded: file }: WriterDeps) => {
  // Read at the first job: an agent that only probes the machine has no such file.
  let contents: RecordedContents | null = null;
  const recorded = (): RecordedContents => (contents ??= recordedContents(file));

  const commit = async (
    before: Before,
    changes: Changes,
    next: { readonly revision: number; readonly assignments: Assignments; readonly marks: GivenMarks | null },
  ): Promise<{ readonly read: ReadSettings } | { readonly failure: string }> => {
    const after = withChanges(before.stored, changes, next.revision, next.assignments);
    const settings = next.marks === null ? after.settings : withMarks(after.settings, next.marks);
    const read = readStored({ settings, secrets: after.secrets });
    // Before the secret gets its recipient: what is cut short in between is still sent to no other.
    const unrecorded = recorded().keep(read.configuration.secrets, next.assignments, next.marks);
    const failure = unrecorded ?? (await commitSections(registry, { settings, secrets: after.secrets }));
    return failure === null ? { read } : { failure };
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
      const isOlder = readAssignments(stored.secrets) === null && Object.keys(read.configuration.secrets).length > 0;
      if (!isOlder || file === null) return { outcome: null, read };
      const legacy = await readSection(registry, 'broker');
      if (legacy === undefined) return null;
      const bring = bringing('upgrade');
      const assignments = upgradedAssignments(read.configuration, boundBefore(legacy), bring);
      const marks = readMarks(stored.settings);
      const done = await commit(before, unchanged, { revision: read.revision, assignments, marks });
      // A disk that refuses keeps no panel from starting: its secrets wait until it takes them.
      if ('failure' in done) return { outcome: null, read };
      await commitSections(registry, { broker: null });
      return { outcome: null, read: done.read, change: { at: bring.at, code: 'upgraded', from: null } };
    },
    merge: async ({
      patch,
      own,
      from,
    }: Extract<WriterCommand, { type: 'writer.merge' }>): Promise<Written<MergeOutcome>> => {
      const before = await readBefore(registry);
      if (before === null) return failed('store-silent');
      const { configuration, revision } = before.read;
      const judged = mergeSettings(configuration, patch, own);
      if (judged.status === 'refused') return { outcome: judged, read: before.read };
      const [changes, applied] = judged.status === 'saved' ? [judged.changes, judged.applied] : [unchanged, []];
      const { configuration: after } = readStored(withChanges(before.stored, changes, revision + 1));
      const bring = bringing('save');
      const assignments = assignmentsAfter(
        { configuration, assignments: before.assignments },
        after,
        judged.brought,
        bring,
      );
      const reassigned = judged.brought.filter((key) => assignments.get(key) !== before.assignments.get(key));
      const all = [...new Set([...applied, ...reassigned])];
      if (all.length === 0) return { outcome: { status: 'no-op' }, read: before.read };
      const marks = readMarks(before.stored.settings);
      const done = await commit(before, changes, { revision: revision + 1, assignments, marks });
      if ('failure' in done) return failed(done.failure);
      const isMoved =
        (judged.status === 'saved' && judged.orphaned.length > 0) ||
        movedSecrets(before.assignments, assignments).length > 0;
      const change = isMoved ? { at: bring.at, code: 'moved' as const, from } : null;
      return { outcome: { status: 'saved', applied: all }, read: done.read, change };
    },
    assign: async ({ key, id, recipient, code, from }: AssignRequest): Promise<Written<AssignOutcome>> => {
      const before = await readBefore(registry);
      if (before === null) return failed('store-silent');
      const known = before.assignments.get(key);
      if (known?.id !== id || before.read.configuration.secrets[key] === undefined)
        return { outcome: { status: 'changed' }, read: before.read };
      const assignments = new Map([...before.assignments, [key, { ...known, recipient }]]);
      const marks = readMarks(before.stored.settings);
      // The settings themselves did not change, so their revision stays.
      const done = await commit(before, unchanged, { revision: before.read.revision, assignments, marks });
      if ('failure' in done) return failed(done.failure);
      return { outcome: { status: 'assigned' }, read: done.read, change: { at: now(), code, from } };
    },
    /** Takes what a command line gives, with the marks by which it is recognised the next time. */
    provision: async (values: Readonly<Record<string, unknown>>): Promise<Written<ProvisionOutcome>> => {
      const before = await readBefore(registry);
      if (before === null) return failed('store-silent');
      const { configuration, revision } = before.read;
      const { key, marks }: GivenMarks = readMarks(before.stored.settings) ?? { key: freshKey(), marks: {} };
      const judged = judgeProvision(
        configuration,
        values,
        (name, value) => (marks[name] === undefined ? null : marks[name] === keyedDigest(key, name, value)),
        recorded().recipientOf,
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
      const given = Object.entries(judged.wanted).map(([name, value]): readonly [string, string] => [
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
      const done = await commit(before, changes, { revision: raised, assignments, marks: next });
      return 'failure' in done ? failed(done.failure) : { outcome, read: done.read };
    },
  };
};

/** The writer: one job at a time, secrets only inside it. */
export const settingsWriter = (deps: WriterDeps) =>
  fromDriver<WriterCommand, undefined, WriterFact>(({ send, onEvent }) => {
    const jobs = writerJobs(deps);
    const { openFiles } = deps;
    let recipientChange: RecipientChange | null = null;
    const factsOf = ({ read, change }: Written<unknown>) => {
      recipientChange = change ?? recipientChange;
      return read === null ? null : publicFacts(read, { openFiles, recipientChange });
    };
    const tell = (
      requestId: string,
      written: Written<Extract<WriterFact, { type: 'writer.merged' }>['outcome']>,
    ): void => send({ type: 'writer.merged', requestId, outcome: written.outcome, facts: factsOf(written) });
    const serve = async (command: WriterCommand): Promise<void> => {
      switch (command.type) {
        case 'writer.load': {
          const loaded = await jobs.upgrade();
          const facts = loaded === null ? null : factsOf(loaded);
          return send(facts === null ? { type: 'writer.unread' } : { type: 'writer.loaded', facts });
        }
        case 'writer.merge':
          return tell(command.requestId, await jobs.merge(command));
        case 'writer.assign':
          return tell(command.requestId, await jobs.assign(command));
        case 'writer.provision':
          return tell(command.requestId, await jobs.provision(command.values));
        case 'writer.close':
          return send({ type: 'writer.closed' });
      }
    };
    const inTurn = serial({ stopsAtThrow: true });
    onEvent((command) => inTurn(() => serve(command)));
  });
