import type { EntityPanel } from '../entities/panel.ts';
import type { RowShape } from '../entities/shape.ts';
import type { EntityKind, Picture } from '../kit/entity.ts';
import type { EpochMs } from '../kit/units.ts';
import type { OutgoingMessage, Subscription } from '../mqtt/events.ts';
import type { RefusalCode } from './refusal.ts';

/** Phase of the publisher, as shown outside. */
export type PublisherPhase = 'waiting' | 'claiming' | 'duplicate' | 'announcing' | 'live' | 'withdrawn';

export interface EntityMark {
  readonly key: string;
  readonly entityKind: EntityKind;
}

/** Everything that shapes the announced device; any change announces it again. */
export interface PublishedPanel extends EntityPanel {
  /** Discovery prefix of Home Assistant, `homeassistant` by default. */
  readonly prefix: string;
}

/** The current value of a row, encoded as payloads. */
export interface RowPayloads {
  /** Payload of the state topic; null for none. */
  readonly state: string | null;
  readonly available: boolean;
  /** Payload of the attributes topic; null for none. */
  readonly attributes: string | null;
  /** Payloads of recent occurrences, oldest first; only event rows have them. Each is sent once and never repeated. */
  readonly occurrences?: readonly { readonly sequence: number; readonly payload: string }[];
  /** Only image rows have it; null for none. Their state is its URL, once the panel's address is added. */
  readonly picture?: Picture | null;
}

/** What the publisher follows of the MQTT link. */
export interface LinkState {
  readonly connected: boolean;
  /** Number of the connection; a new one means that everything must be published again. */
  readonly session: number;
  /** Panel id that the connection's will was set for; null before the first connection. */
  readonly panelId: string | null;
}

/** The meaning of a broker message that is not a command; each message is classified once, on arrival. */
export type IncomingEvent =
  /** The sync token returned: all retained messages have arrived before it. */
  | { readonly type: 'sync.returned' }
  /** The retained owner of this or of an earlier panel id; empty for none. */
  | { readonly type: 'owner.changed'; readonly panelId: string; readonly owner: string }
  /** The status of a machine under this panel id, identified by the first eight digits of its install id. */
  | { readonly type: 'status.changed'; readonly install: string; readonly status: string }
  /** This machine is reported offline although it is online: a late will of its last connection. */
  | { readonly type: 'own-status.lost' }
  /** Home Assistant's birth message, live and not replayed. */
  | { readonly type: 'homeAssistant.born' }
  /**
   * Home Assistant's will, or any other status that is not a birth message; `now` is true for a will that was not
   * replayed.
   */
  | { readonly type: 'homeAssistant.left'; readonly now: boolean }
  /** The discovery topic of this panel was emptied: the owner removed the device in Home Assistant. */
  | { readonly type: 'device.removed' };

/** A refusal that Home Assistant was told; at most one a second for each entity. */
export interface ReportedRefusal {
  /** Name of the entity, without the device's. */
  readonly name: string;
  readonly code: RefusalCode;
  readonly at: EpochMs;
}

/** Reports of the registry bridge, which connects the publisher, the rows' actors and the link. */
export type BridgeFact =
  | { readonly type: 'panel.changed'; readonly panel: PublishedPanel }
  | ({ readonly type: 'link.changed' } & LinkState)
  | IncomingEvent
  /** A command was refused. */
  | { readonly type: 'command.refused' }
  /** Home Assistant was told why the newest command of an entity was refused. */
  | ({ readonly type: 'refusal.reported' } & ReportedRefusal);

/** Commands to the registry bridge. */
export type BridgeCommand =
  | { readonly type: 'bridge.publish'; readonly messages: readonly OutgoingMessage[] }
  | ({ readonly type: 'bridge.subscribe' } & Required<Subscription>)
  /**
   * Serves the rows of these shapes: their changes are published at once and their commands are carried out, without
   * the publisher's machine.
   */
  | { readonly type: 'bridge.serve'; readonly panelId: string; readonly shapes: readonly RowShape[] }
  /** Publishes the current value of every served row. */
  | { readonly type: 'bridge.publish-rows' }
  /** Stops serving: no row is published and no command is carried out. */
  | { readonly type: 'bridge.silence' };

/** The result of withdrawing the panel's entities from Home Assistant. */
export type WithdrawOutcome =
  /** Their discovery topics are empty, as acknowledged by the broker. */
  | { readonly status: 'withdrawn'; readonly entities: number }
  /** Nothing announced by this machine is left. */
  | { readonly status: 'nothing' }
  /**
   * They are, or may be, still there. `away`: the broker is not connected. `busy`: the owner of the panel id is not
   * known yet. `silent`: the broker did not acknowledge in time.
   */
  | {
      readonly status: 'left';
      readonly reason: 'away' | 'busy' | 'silent';
      readonly entities: number;
      /** The discovery topics of their devices. */
      readonly topics: readonly string[];
    };

export type PublisherRequest =
  /**
   * Withdraws every entity from Home Assistant and publishes nothing until released, 30 s at most. Answered by one
   * `reply` with a `WithdrawOutcome`.
   */
  | { readonly type: 'publisher.withdraw'; readonly requestId: string }
  /** Announces again what was withdrawn. */
  | { readonly type: 'publisher.release' };

export type PublisherEvent = BridgeFact | PublisherRequest;

/** Home Assistant's live birth or will at the broker; never a replayed one. */
export interface HomeAssistantSaid {
  readonly type: 'homeAssistant.said';
  readonly online: boolean;
}

/** Public facts of the publisher; the phase is derived from its state (`phase.ts`). */
export interface PublisherContext {
  /** Entities in the announced device. */
  readonly announced: readonly EntityMark[];
  /** Rows left out because the check before sending refused their payload, with the reason by key. */
  readonly refused: Readonly<Record<string, string>>;
  /** Orphaned entities: from earlier shapes, not yet swept from a Home Assistant known to be running. */
  readonly orphans: number;
  /** Orphaned entities not swept at all; the others are swept once more when Home Assistant starts. */
  readonly due: number;
  /** True if Home Assistant's birth message was received in this connection. */
  readonly homeAssistantDetected: boolean;
  /** True if its will was received in this connection, and no birth message since. */
  readonly homeAssistantLeft: boolean;
  /**
   * True if the owner removed the device in Home Assistant. It is announced again under another name, or after a
   * restart of the publisher.
   */
  readonly removedElsewhere: boolean;
  /** One sentence that says what to do; null if nothing is wrong. */
  readonly advice: string | null;
  /** A panel id that no machine at the broker has; null unless another machine has this panel's. */
  readonly freeId: string | null;
  /** Commands refused since the start. */
  readonly refusedCommands: number;
  /** The newest refusal that Home Assistant was told; null before the first. */
  readonly lastRefusal: ReportedRefusal | null;
  /** Why the announced entities could not be persisted; null after a successful save. */
  readonly storeFault: string | null;
}

/** Public interface of the publisher actor. */
export interface PublisherActor {
  readonly id: 'publisher';
  readonly context: PublisherContext;
  readonly event: PublisherRequest;
  readonly asks: { readonly 'publisher.withdraw': WithdrawOutcome };
  readonly emitted: HomeAssistantSaid;
}
