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

/** What the publisher is wired to. */
export interface PublisherDeps {
  readonly registry: Registry;
  /** Messages of the connection to the broker that is in force. */
  readonly messages: BrokerMessages;
  /** The catalogue; the agent's own when absent. */
  readonly rows?: readonly EntityRow<AnyActor>[];
  /** Takes one line for the log. */
  readonly note?: BridgeDeps['note'];
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

/** The publisher: stops immediately (the link says `offline`). */
export const publisherSpec = ({ registry, messages, rows = entityRows, note = () => {} }: PublisherDeps): Part =>
  part(
    publisher,
    publisherMachine.provide({
      actors: {
        bridge: registryBridge({ registry, messages, rows, note }),
        readAnnounced: readAnnounced(registry),
        persistAnnounced: persistAnnounced(registry),
      },
    }),
  );
