import { fromPromise } from 'xstate';

import type { AnyActor } from '#machines/actors.ts';
import { entityRows } from '#machines/entities.ts';
import type { EntityRow } from '#machines/kit/entity.ts';
import type { BrokerMessages } from '#machines/mqtt/events.ts';
import { type AnnouncedEntities, storedForm } from '#machines/publisher/announced.ts';
import { publisher } from '#machines/publisher/index.ts';
import { publisherMachine } from '#machines/publisher/machine.ts';

import { part, type Part } from './kit/part.ts';
import type { Registry } from './kit/registry.ts';
import { commitSections, readSection, StoreSilent } from './kit/stored-section.ts';
import { type BridgeDeps, registryBridge } from './publisher/registry-bridge.ts';

export interface PublisherDeps {
  readonly registry: Registry;
  /** Messages of the broker connection in force. */
  readonly messages: BrokerMessages;
  readonly admission: BridgeDeps['admission'];
  /** The entity rows; all of the agent's if absent. */
  readonly rows?: readonly EntityRow<AnyActor>[];
  /** Writes one line to the log. */
  readonly note?: BridgeDeps['note'];
  readonly now: BridgeDeps['now'];
  readonly lookAtSettings?: NonNullable<BridgeDeps['lookAtSettings']>;
}

const readAnnounced = (registry: Registry) =>
  fromPromise<unknown>(async () => {
    const stored = await readSection(registry, 'announced');
    if (stored === undefined) throw new StoreSilent();
    return stored;
  });

const persistAnnounced = (registry: Registry) =>
  fromPromise<void, AnnouncedEntities>(async ({ input }) => {
    const failure = await commitSections(registry, { announced: storedForm(input) });
    if (failure !== null) throw Object.assign(new Error('the announced entities were not kept'), { code: failure });
  });

/** The publisher. It stops at once: the link publishes `offline`. */
export const publisherSpec = ({ rows = entityRows, note = () => {}, ...deps }: PublisherDeps): Part =>
  part(
    publisher,
    publisherMachine.provide({
      actors: {
        bridge: registryBridge({ ...deps, rows, note }),
        readAnnounced: readAnnounced(deps.registry),
        persistAnnounced: persistAnnounced(deps.registry),
      },
    }),
  );
