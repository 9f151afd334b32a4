import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { AnyActor } from '#machines/actors.ts';
import { joinCommands, rowCommandOf } from '#machines/entities/command.ts';
import { laterOutcome } from '#machines/entities/outcome.ts';
import { panelOf, type PanelParts } from '#machines/entities/panel.ts';
import { readRow, type RowValue, sameRowValue } from '#machines/entities/row-value.ts';
import { type RowShape, shapeOf } from '#machines/entities/shape.ts';
import type { CommandRefused, EntityRow } from '#machines/kit/entity.ts';
import { ok } from '#machines/kit/result.ts';
import type { SnapshotView } from '#machines/kit/snapshot.ts';
import type { EpochMs } from '#machines/kit/units.ts';
import type { BrokerMessages, IncomingMessage, MqttContext, OutgoingMessage } from '#machines/mqtt/events.ts';
import { phaseOf as linkPhase } from '#machines/mqtt/phase.ts';
import { changedMessages, rowMessages } from '#machines/publisher/announcement.ts';
import type {
  BridgeCommand,
  BridgeFact,
  IncomingEvent,
  LinkState,
  PublishedPanel,
  RowPayloads,
} from '#machines/publisher/events.ts';
import { type IncomingCommand, meaningIn } from '#machines/publisher/incoming.ts';
import { refusalCodeOf, refusalMessage } from '#machines/publisher/refusal.ts';
import { encodeRow, withAddress } from '#machines/publisher/state.ts';

import type { Admission } from '../kit/admission.ts';
import { followPanel } from '../entities/follow-panel.ts';
import { createRateLimiter } from '../entities/rate-limiter.ts';
import { commandRunner, type CommandSource } from '../entities/run-commands.ts';
import { lastKnown } from '../kit/follow-all.ts';
import type { Registry } from '../kit/registry.ts';
import { createRefusalReports } from './refusal-reports.ts';

export interface BridgeDeps {
  readonly registry: Registry;
  /** Messages of the broker connection in force. */
  readonly messages: BrokerMessages;
  readonly rows: readonly EntityRow<AnyActor>[];
  /** Asks at the panel for commands that are protected. */
  readonly admission: Pick<Admission, 'admit' | 'whenAnswered'>;
  /** Writes one line to the log. */
  readonly note: (message: string, facts: Readonly<Record<string, string>>) => void;
  readonly now: () => EpochMs;
  /** Looks at changed settings before they are saved; null if nothing speaks against them. */
  readonly lookAtSettings?: (patch: Readonly<Record<string, unknown>>) => Promise<CommandRefused | null> | null;
}

/** What the publisher lets the bridge serve. */
interface Served {
  readonly panelId: string;
  readonly shapes: ReadonlyMap<string, RowShape>;
}

type Incoming = IncomingEvent | IncomingCommand;

/** Who commands over the broker: Home Assistant, or another program that publishes there. */
const source: CommandSource = { origin: 'home-assistant', peer: 'mqtt' };

/** Most kinds of refusals that are logged. */
const NOTED_LIMIT = 200;

const linkOf = (link: SnapshotView<MqttContext> | undefined): LinkState =>
  link !== undefined && linkPhase(link) === 'connected'
    ? { connected: true, session: link.context.session, panelId: link.context.panelId }
    : { connected: false, session: 0, panelId: null };

/**
 * Connects the rows' actors, the broker and the publisher's machine. Commands go from the broker to their actor, and
 * changes of a row to the broker, without a step of the machine: it only says which rows are served.
 */
export const registryBridge = ({ registry, messages, rows, admission, note, now, lookAtSettings }: BridgeDeps) =>
  fromDriver<BridgeCommand, undefined, BridgeFact>((scope) => {
    const { send, onEvent, guard } = scope;
    const byKey = new Map(rows.map((row) => [row.key, row]));
    const values = new Map<string, RowPayloads>();
    const noted = new Set<string>();
    /** The row of each actor's newest command from here: an actor tells only how its last one ended. */
    const newest = new Map<string, string>();
    let panel: PublishedPanel | null = null;
    let served: Served | null = null;

    const publish = (all: readonly OutgoingMessage[]): void => {
      if (all.length > 0) messages.publish(all);
    };
    /** With the panel's address as it is now: a change of it announces the panel, and so publishes all rows again. */
    const addressed = (value: RowPayloads): RowPayloads => withAddress(value, panel?.configurationUrl ?? null);
    const publishRow = ({ panelId, shapes }: Served, key: string): void => {
      const shape = shapes.get(key);
      const value = values.get(key);
      if (shape !== undefined && value !== undefined) publish(rowMessages(panelId, shape, addressed(value)));
    };
    const takeRow = ({ key, entityKind }: EntityRow<AnyActor>, read: RowValue): void => {
      const before = values.get(key);
      const value = encodeRow(entityKind, read);
      values.set(key, value);
      const shape = served?.shapes.get(key);
      if (served === null || shape === undefined) return;
      publish(changedMessages(served.panelId, shape, before && addressed(before), addressed(value)));
    };

    const reports = createRefusalReports({
      report: (key, refusal) => {
        const shape = served?.shapes.get(key);
        if (served === null || shape === undefined) return;
        const at = now();
        publish([refusalMessage(served.panelId, key, refusal, at)]);
        if (refusal !== null)
          send({ type: 'refusal.reported', name: shape.name, code: refusalCodeOf(refusal.reason), at });
      },
      guard,
    });
    /** Publishes the true state again with the reason, and logs the first refusal of its kind. */
    const refuse = (key: string, refusal: CommandRefused): void => {
      const { reason } = refusal;
      if (served === null) return;
      const kind = `${key} ${reason}`;
      if (!noted.has(kind) && noted.size < NOTED_LIMIT) {
        noted.add(kind);
        note('A command from the broker was refused.', { entity: key, reason });
      }
      // The URL of a picture is no true state that was lost, and would make Home Assistant fetch one.
      if (values.get(key)?.picture === undefined) publishRow(served, key);
      // Home Assistant sends none to an entity that only reports, whose attributes are its own.
      if (reason !== 'not-commandable') reports.refused(key, refusal);
      send({ type: 'command.refused' });
    };
    const runCommand = commandRunner({
      registry,
      scope,
      admission,
      source,
      refuse,
      lookFirst: (event) => (event.type === 'settings.merge' ? (lookAtSettings?.(event.patch) ?? null) : null),
      taken: reports.taken,
    });
    const isRefused = ({ key, command }: IncomingCommand): boolean => {
      const row = byKey.get(key);
      return row === undefined || !command.ok || !rowCommandOf(row, command.value, source.origin).ok;
    };
    const limiter = createRateLimiter<Incoming>({
      deliver: (incoming) => {
        if (incoming.type !== 'command') {
          send(incoming);
          return;
        }
        const { key, command } = incoming;
        const row = byKey.get(key);
        if (row === undefined || served?.shapes.has(key) !== true) return;
        if (!command.ok) {
          refuse(key, command);
          return;
        }
        newest.set(row.actor, key);
        runCommand(row, command.value);
      },
      join: (older, newer) => {
        if (older.type !== 'command' || newer.type !== 'command' || isRefused(older)) return newer;
        // A refused command replaces no valid one.
        if (isRefused(newer) || !older.command.ok || !newer.command.ok) return older;
        return { ...newer, command: ok(joinCommands(older.command.value, newer.command.value)) };
      },
      isOrdered: ({ type }) => type !== 'command',
      // Messages about the owner of this panel's own id always count.
      isForeign: (incoming) =>
        incoming.type === 'status.changed' ||
        (incoming.type === 'owner.changed' && incoming.panelId !== panel?.panelId),
      guard,
    });
    const receive = (message: IncomingMessage): void => {
      const incoming = panel === null ? null : meaningIn(panel, message);
      if (incoming !== null) limiter.take(message.topic, incoming);
    };

    onEvent((command) => {
      switch (command.type) {
        case 'bridge.publish':
          publish(command.messages);
          break;
        case 'bridge.subscribe':
          messages.subscribeTo(command);
          break;
        case 'bridge.serve':
          served = { panelId: command.panelId, shapes: new Map(command.shapes.map((shape) => [shape.key, shape])) };
          break;
        case 'bridge.publish-rows':
          if (served !== null) for (const key of served.shapes.keys()) publishRow(served, key);
          break;
        case 'bridge.silence':
          served = null;
          break;
      }
    });

    let parts: PanelParts | null = null;
    let prefix: string | null = null;
    const reportPanel = (): void => {
      if (parts === null || prefix === null) return;
      panel = { ...panelOf(rows, parts, 'mqtt'), prefix };
      send({ type: 'panel.changed', panel });
    };
    const ends = [
      ...rows.map((row) => {
        const shape = shapeOf(row);
        return registry.follow(
          row.actor,
          (snapshot) => readRow(row, snapshot ?? registry.off(row.actor), shape),
          (value) => takeRow(row, value),
          sameRowValue,
        );
      }),
      ...rows.map(({ key, actor, outcome }) =>
        outcome === undefined
          ? () => {}
          : registry.follow(
              actor,
              lastKnown((snapshot) => (snapshot === undefined ? null : outcome(snapshot))),
              (last) => {
                const later = newest.get(actor) === key ? laterOutcome(last, source.origin) : null;
                if (served === null || later === null) return;
                if (later.refused === null) reports.taken(key);
                else reports.refused(key, later.refused);
              },
            ),
      ),
      followPanel(registry, rows, (changed) => {
        parts = changed;
        reportPanel();
      }),
      registry.follow(
        'settings',
        lastKnown((snapshot) => {
          const value = snapshot?.context.values['mqtt_discovery_prefix'];
          return typeof value === 'string' && value !== '' && snapshot?.context.revision !== 0 ? value : null;
        }),
        (changed) => {
          if (changed === prefix) return;
          prefix = changed;
          reportPanel();
        },
      ),
      messages.listen(guard(receive)),
      registry.follow('mqtt', linkOf, (link) => {
        // A sync token of one connection must not count for the next one.
        limiter.clear();
        send({ type: 'link.changed', ...link });
      }),
      limiter.stop,
      reports.stop,
    ];
    return () => {
      for (const end of ends) end();
    };
  });
