import { fromDriver } from '#drivers/kit/from-driver.ts';
import { freshKey, keyedDigest } from '#drivers/kit/keyed-digest.ts';
import { serial } from '#drivers/kit/serial.ts';
import type {
  MergeOutcome,
  OwnWrite,
  ProvisionOutcome,
  SettingsContext,
  WriterCommand,
  WriterFact,
} from '#machines/settings/events.ts';
import { settings as manifest } from '#machines/settings/index.ts';
import { settingsMachine } from '#machines/settings/machine.ts';
import { type Changes, mergeSettings } from '#machines/settings/merge.ts';
import { type GivenMarks, judgeProvision, readMarks, withMarks } from '#machines/settings/provision.ts';
import { publicFacts, readStored, type ReadSettings, withChanges } from '#machines/settings/stored.ts';
import { part, type Part } from './kit/part.ts';
import { type Asking, commitSections, readSection, StoreSilent } from './kit/stored-section.ts';

/** A stored credential, null when it is not set; rejects while the store does not answer, which is not the same. */
export const readSecret = async (registry: Asking, key: string): Promise<string | null> => {
  const read = await readSection(registry, 'secrets');
  if (read === undefined) throw new StoreSilent();
  return readStored({ settings: null, secrets: read }).configuration.secrets[key] ?? null;
};

/** The two sections as they are stored; null where the store does not answer. */
const readBoth = async (registry: Asking): Promise<{ settings: unknown; secrets: unknown } | null> => {
  const [settings, secrets] = await Promise.all([readSection(registry, 'settings'), readSection(registry, 'secrets')]);
  return settings === undefined || secrets === undefined ? null : { settings, secrets };
};

/** What became of a write; `read` is null where the store did not answer. */
interface Written<O> {
  readonly outcome: O;
  readonly read: ReadSettings | null;
}

const failed = (reason: string) => ({ outcome: { status: 'commit-failed' as const, reason }, read: null });

/**
 * Reads, judges and commits one patch. Each merge starts from what the store holds, also after a commit that went
 * unanswered.
 */
const merge = async (
  registry: Asking,
  patch: Readonly<Record<string, unknown>>,
  own: OwnWrite | null,
): Promise<Written<MergeOutcome>> => {
  const stored = await readBoth(registry);
  if (stored === null) return failed('store-silent');
  const before = readStored(stored);
  const judged = mergeSettings(before.configuration, patch, own);
  if (judged.status !== 'saved') return { outcome: judged, read: before };
  const after = withChanges(stored, judged.changes, before.revision + 1);
  const failure = await commitSections(registry, { settings: after.settings, secrets: after.secrets });
  if (failure !== null) return failed(failure);
  return { outcome: { status: 'saved', applied: judged.applied }, read: readStored(after) };
};

const unchanged: Changes = { values: {}, secrets: {}, expose: {} };

/** Reads, judges and commits what a command line gives, with the marks by which it is recognised the next time. */
const provision = async (
  registry: Asking,
  values: Readonly<Record<string, unknown>>,
): Promise<Written<ProvisionOutcome>> => {
  const stored = await readBoth(registry);
  if (stored === null) return failed('store-silent');
  const before = readStored(stored);
  const { key, marks }: GivenMarks = readMarks(stored.settings) ?? { key: freshKey(), marks: {} };
  const judged = judgeProvision(before.configuration, values, (name, value) =>
    marks[name] === undefined ? null : marks[name] === keyedDigest(key, name, value),
  );
  if (judged.status === 'refused') return { outcome: judged, read: before };
  const merged = mergeSettings(before.configuration, judged.patch);
  if (merged.status === 'refused') return { outcome: merged, read: before };
  const given = Object.entries(judged.wanted).map(([name, value]): readonly [string, string] => [
    name,
    keyedDigest(key, name, String(value)),
  ]);
  const next: GivenMarks = { key, marks: { ...marks, ...Object.fromEntries(given) } };
  const [changes, applied] = merged.status === 'saved' ? [merged.changes, merged.applied] : [unchanged, []];
  const outcome = { status: 'provisioned' as const, applied, kept: judged.kept };
  if (applied.length === 0 && given.every(([name, mark]) => marks[name] === mark)) return { outcome, read: before };
  const after = withChanges(stored, changes, before.revision + (applied.length === 0 ? 0 : 1));
  const settings = withMarks(after.settings, next);
  const failure = await commitSections(registry, { settings, secrets: after.secrets });
  return failure === null ? { outcome, read: readStored(after) } : failed(failure);
};

/** The writer: one job at a time, secrets only inside it. `openFiles` are options whose files others can read. */
export const settingsWriter = (registry: Asking, openFiles: readonly string[] = []) =>
  fromDriver<WriterCommand, undefined, WriterFact>(({ send, onEvent }) => {
    const tell = (
      requestId: string,
      { outcome, read }: Written<Extract<WriterFact, { type: 'writer.merged' }>['outcome']>,
    ): void => {
      const facts: SettingsContext | null = read === null ? null : publicFacts(read, openFiles);
      send({ type: 'writer.merged', requestId, outcome, facts });
    };
    const serve = async (command: WriterCommand): Promise<void> => {
      switch (command.type) {
        case 'writer.load': {
          const stored = await readBoth(registry);
          send(
            stored === null
              ? { type: 'writer.unread' }
              : { type: 'writer.loaded', facts: publicFacts(readStored(stored), openFiles) },
          );
          return;
        }
        case 'writer.merge':
          tell(command.requestId, await merge(registry, command.patch, command.own));
          return;
        case 'writer.provision':
          tell(command.requestId, await provision(registry, command.values));
          return;
        case 'writer.close':
          send({ type: 'writer.closed' });
      }
    };
    const inTurn = serial({ stopsAtThrow: true });
    onEvent((command) => inTurn(() => serve(command)));
  });

/** The one writer of the configuration, after the store. */
export const settingsSpec = (deps: { readonly registry: Asking; readonly openFiles?: readonly string[] }): Part =>
  part(manifest, settingsMachine.provide({ actors: { writer: settingsWriter(deps.registry, deps.openFiles) } }), {
    stop: { event: { type: 'settings.stop' }, withinMs: 300 },
  });
