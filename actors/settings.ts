import { fromDriver } from '#drivers/kit/from-driver.ts';
import { serial } from '#drivers/kit/serial.ts';
import type { MergeOutcome, OwnWrite, SettingsContext, WriterCommand, WriterFact } from '#machines/settings/events.ts';
import { settings as manifest } from '#machines/settings/index.ts';
import { settingsMachine } from '#machines/settings/machine.ts';
import { mergeSettings } from '#machines/settings/merge.ts';
import { publicFacts, readStored, withChanges } from '#machines/settings/stored.ts';
import { part, type Part } from './kit/part.ts';
import { type Asking, commitSections, readSection, StoreSilent } from './kit/stored-section.ts';

/** A stored credential, null when it is not set; rejects while the store does not answer, which is not the same. */
export const readSecret = async (registry: Asking, key: string): Promise<string | null> => {
  const read = await readSection(registry, 'secrets');
  if (read === undefined) throw new StoreSilent();
  return readStored({ settings: null, secrets: read }).configuration.secrets[key] ?? null;
};

/**
 * Reads, judges and commits one patch. Each merge starts from what the store holds, also after a commit that went
 * unanswered.
 */
const merge = async (
  registry: Asking,
  patch: Readonly<Record<string, unknown>>,
  own: OwnWrite | null,
): Promise<{ outcome: MergeOutcome; facts: SettingsContext | null }> => {
  const [settings, secrets] = await Promise.all([readSection(registry, 'settings'), readSection(registry, 'secrets')]);
  if (settings === undefined || secrets === undefined)
    return { outcome: { status: 'commit-failed', reason: 'store-silent' }, facts: null };
  const before = readStored({ settings, secrets });
  const judged = mergeSettings(before.configuration, patch, own);
  if (judged.status !== 'saved') return { outcome: judged, facts: publicFacts(before) };
  const after = withChanges({ settings, secrets }, judged.changes, before.revision + 1);
  const failure = await commitSections(registry, { settings: after.settings, secrets: after.secrets });
  if (failure !== null) return { outcome: { status: 'commit-failed', reason: failure }, facts: null };
  return { outcome: { status: 'saved', applied: judged.applied }, facts: publicFacts(readStored(after)) };
};

/** The writer: one job at a time, secrets only inside it. */
export const settingsWriter = (registry: Asking) =>
  fromDriver<WriterCommand, undefined, WriterFact>(({ send, onEvent }) => {
    const serve = async (command: WriterCommand): Promise<void> => {
      switch (command.type) {
        case 'writer.load': {
          const [settings, secrets] = await Promise.all([
            readSection(registry, 'settings'),
            readSection(registry, 'secrets'),
          ]);
          send(
            settings === undefined || secrets === undefined
              ? { type: 'writer.unread' }
              : { type: 'writer.loaded', facts: publicFacts(readStored({ settings, secrets })) },
          );
          return;
        }
        case 'writer.merge':
          send({
            type: 'writer.merged',
            requestId: command.requestId,
            ...(await merge(registry, command.patch, command.own)),
          });
          return;
        case 'writer.close':
          send({ type: 'writer.closed' });
      }
    };
    const inTurn = serial({ stopsAtThrow: true });
    onEvent((command) => inTurn(() => serve(command)));
  });

/** The one writer of the configuration, after the store. */
export const settingsSpec = (deps: { readonly registry: Asking }): Part =>
  part(manifest, settingsMachine.provide({ actors: { writer: settingsWriter(deps.registry) } }), {
    stop: { event: { type: 'settings.stop' }, withinMs: 300 },
  });
