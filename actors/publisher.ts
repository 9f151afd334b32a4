import { fromPromise } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { entityRows } from '#machines/entities.ts';
import type { AnyActor } from '#machines/actors.ts';
import type { EntityRow } from '#machines/kit/entity.ts';
import type { SnapshotView } from '#machines/kit/snapshot.ts';
import type { MqttContext, TopicRank } from '#machines/mqtt/events.ts';
import { phaseOf as linkPhase } from '#machines/mqtt/phase.ts';
import { type AnnouncedEntities, storedForm } from '#machines/publisher/announced.ts';
import type { GatewayCommand, GatewayFact, LinkState, PublishedPanel } from '#machines/publisher/events.ts';
import { incomingEvent } from '#machines/publisher/incoming.ts';
import { publisher } from '#machines/publisher/index.ts';
import { publisherMachine } from '#machines/publisher/machine.ts';
import { panelOf } from '#machines/publisher/panel.ts';
import { shapeOf } from '#machines/publisher/shape.ts';
import { encodeRow, sameRowValue } from '#machines/publisher/state.ts';
import { rankOf } from '#machines/publisher/topics.ts';

import { part, type Part } from './kit/part.ts';
import type { Registry } from './kit/registry.ts';
import { commitSections, readSection, StoreSilent } from './kit/stored-section.ts';
import { followPanel } from './publisher/follow-panel.ts';
import { commandRunner } from './publisher/run-commands.ts';

/** What the publisher is wired to. */
export interface PublisherDeps {
  readonly registry: Registry;
  /** The catalogue; the agent's own when absent. */
  readonly rows?: readonly EntityRow<AnyActor>[];
  /** Takes one line for the log. */
  readonly note?: (message: string, facts: Readonly<Record<string, string>>) => void;
}

const keys: ReadonlySet<string> = new Set(entityRows.map(({ key }) => key));

/** What a topic is to the publisher, for the link that it listens on. */
export const rankOfTopic = (topic: string): TopicRank => rankOf(topic, keys);

const linkOf = (link: SnapshotView<MqttContext> | undefined): LinkState =>
  link !== undefined && linkPhase(link) === 'connected'
    ? { connected: true, session: link.context.session, panelId: link.context.panelId }
    : { connected: false, session: 0, panelId: null };

/** Between the publisher's machine and the rest of the agent: rows and link in, commands and messages out. */
export const gateway = ({ registry, rows = entityRows, note = () => {} }: PublisherDeps) =>
  fromDriver<GatewayCommand, undefined, GatewayFact>((scope) => {
    const { send, onEvent } = scope;
    const byKey = new Map(rows.map((row) => [row.key, row]));
    const runCommand = commandRunner({
      registry,
      scope,
      refuse: (key, reason) => send({ type: 'command.refused', key, reason }),
    });
    let panel: PublishedPanel | null = null;

    onEvent((command) => {
      switch (command.type) {
        case 'gateway.publish':
          if (command.messages.length > 0) registry.tell('mqtt', { type: 'mqtt.publish', messages: command.messages });
          break;
        case 'gateway.subscribe':
          registry.tell('mqtt', { type: 'mqtt.subscribe', topics: command.topics, asPublished: command.asPublished });
          break;
        case 'gateway.run': {
          const row = byKey.get(command.key);
          if (row) runCommand(row, command.value);
          break;
        }
        case 'gateway.refuse':
          if (command.first)
            note('A command from the broker was refused.', { entity: command.key, reason: command.reason });
          if (command.messages.length > 0) registry.tell('mqtt', { type: 'mqtt.publish', messages: command.messages });
          break;
      }
    });

    const ends = [
      ...rows.map((row) => {
        const shape = shapeOf(row);
        return registry.follow(
          row.actor,
          (snapshot) => encodeRow(row, snapshot, shape),
          (value) => send({ type: 'row.changed', key: row.key, ...value }),
          sameRowValue,
        );
      }),
      followPanel(registry, rows, (parts) => {
        panel = panelOf(rows, parts);
        send({ type: 'panel.changed', panel });
      }),
      registry.listen('mqtt', 'broker.message', (message) => {
        const event = panel === null ? null : incomingEvent(panel, message);
        if (event !== null) send(event);
      }),
      registry.follow('mqtt', linkOf, (link) => send({ type: 'link.changed', ...link })),
    ];
    return () => {
      for (const end of ends) end();
    };
  });

const readAnnounced = (registry: Registry) =>
  fromPromise<unknown>(async () => {
    const stored = await readSection(registry, 'ledger');
    if (stored === undefined) throw new StoreSilent();
    return stored;
  });

const keepAnnounced = (registry: Registry) =>
  fromPromise<void, AnnouncedEntities>(async ({ input }) => {
    const failure = await commitSections(registry, { ledger: storedForm(input) });
    if (failure !== null) throw Object.assign(new Error('the announced entities were not kept'), { code: failure });
  });

/** The publisher: stops immediately (the link says `offline`). */
export const publisherSpec = (deps: PublisherDeps): Part =>
  part(
    publisher,
    publisherMachine.provide({
      actors: {
        gateway: gateway(deps),
        readAnnounced: readAnnounced(deps.registry),
        keepAnnounced: keepAnnounced(deps.registry),
      },
    }),
  );
