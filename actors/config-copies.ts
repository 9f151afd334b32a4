import { bundleOf } from '#machines/config-copies/bundle.ts';
import type {
  ConfigCopiesContext,
  ConfigCopiesEvent,
  ExportOutcome,
  ImportOutcome,
  RestoreRevisionOutcome,
} from '#machines/config-copies/events.ts';
import { configCopies } from '#machines/config-copies/index.ts';
import { listedRevisions } from '#machines/config-copies/revisions.ts';
import { exportedValues } from '#machines/config-copies/values.ts';
import type { SettingsContext } from '#machines/settings/events.ts';

import type { CopiesDeps } from './config-copies/deps.ts';
import { importBundle } from './config-copies/import.ts';
import { readInForce } from './config-copies/in-force.ts';
import { revisionRecord } from './config-copies/record.ts';
import { restoreRevision } from './config-copies/restore-revision.ts';
import { fromServer } from './kit/from-server.ts';
import { part, type Part } from './kit/part.ts';

type Answer = ExportOutcome | ImportOutcome | RestoreRevisionOutcome;
type EventOf<T extends ConfigCopiesEvent['type']> = Extract<ConfigCopiesEvent, { readonly type: T }>;

const initial: ConfigCopiesContext = { revisions: [], secretsExported: null, failure: null };

async function exportBundle({ registry }: CopiesDeps, event: EventOf<'config.export'>): Promise<ExportOutcome> {
  const inForce = await readInForce(registry);
  const panelId = registry.read('identity')?.context.panelId;
  if (inForce === null || panelId === undefined || panelId === '') return { status: 'unreadable' };
  const { configuration, origins: origin } = inForce;
  const values = exportedValues(configuration, { secrets: event.secrets });
  return { status: 'exported', bundle: bundleOf({ panelId, origin, values, at: event.at }) };
}

/** What a revision is made from; null until the settings were read. */
const inForceOf = (context: SettingsContext | undefined) =>
  context === undefined || context.revision === 0 ? null : { values: context.values, expose: context.expose };

/** The copies of the configuration: exported, imported, and kept as revisions. Credentials are only in its answers. */
const copies = (deps: CopiesDeps) =>
  fromServer<ConfigCopiesContext, ConfigCopiesEvent, Answer>({
    initial: { value: 'serving', context: initial },
    failed: 'config-copies',
    serve: ({ onEvent, guard, show, answer }) => {
      let shown = initial;
      const showAlso = (more: Partial<ConfigCopiesContext>): void => {
        shown = { ...shown, ...more };
        show({ context: shown });
      };
      const record = revisionRecord(deps, ({ book, failure }) =>
        showAlso({ revisions: listedRevisions(book), failure }),
      );
      const answerTo = async (event: ConfigCopiesEvent): Promise<Answer> => {
        switch (event.type) {
          case 'config.export':
            return exportBundle(deps, event);
          case 'config.import':
            if (!event.options.dryRun) await record.close();
            return importBundle(deps, event);
          case 'config.restore-revision':
            await record.close();
            return restoreRevision(deps, event, record.find);
        }
      };
      onEvent(async (event) => {
        const outcome = await answerTo(event);
        const { at, from } = event;
        if (outcome.status === 'exported' && event.type === 'config.export' && event.secrets)
          showAlso({ secretsExported: { at, from } });
        answer(event.requestId, outcome);
      });
      const unfollow = deps.registry.follow(
        'settings',
        (snapshot) => inForceOf(snapshot?.context),
        guard((inForce: ReturnType<typeof inForceOf>) =>
          inForce === null ? undefined : record.note(inForce, deps.now()),
        ),
      );
      return () => {
        unfollow();
        return record.end();
      };
    },
  });

/** Exports, imports and earlier configurations. It starts after the settings. */
export const configCopiesSpec = (deps: CopiesDeps): Part => part(configCopies, copies(deps));
